use kernel_rt::prelude::*;

#[device]
fn sum(x: &[f32]) -> f32 {
    x[0] + x[1]
}

#[kernel]
fn broken(x: &[f32], out: &mut [f32]) {
    let i = tid();
    let pair = [x[i], 1.0];
    out[i] = sum(pair);
}

fn main() {}
