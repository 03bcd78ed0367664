use kernel_rt::prelude::*;

#[device]
type Names = Vec<f32>;

fn main() {}
