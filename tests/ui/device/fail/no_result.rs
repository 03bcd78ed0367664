use kernel_rt::prelude::*;

#[device]
fn nothing(x: f32) {}

fn main() {}
