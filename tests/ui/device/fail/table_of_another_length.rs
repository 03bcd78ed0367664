use kernel_rt::prelude::*;

#[device]
const WEIGHTS: [f32; 3] = [0.5, 0.5];

fn main() {}
