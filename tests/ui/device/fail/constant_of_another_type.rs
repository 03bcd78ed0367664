use kernel_rt::prelude::*;

#[device]
const LIMIT: f32 = 1;

fn main() {}
