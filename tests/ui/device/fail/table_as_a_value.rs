use kernel_rt::prelude::*;

#[device]
const WEIGHTS: [f32; 2] = [0.5, 0.5];

#[device]
fn first(k: usize) -> f32 {
    let w = WEIGHTS;
    w[k]
}

fn main() {}
