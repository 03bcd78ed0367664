use kernel_rt::prelude::*;

#[device]
fn sum(x: &[f32; 2]) -> f32 {
    x[0] + x[1]
}

#[kernel]
fn broken(x: &[f32], out: &mut [f32]) {
    let i = tid();
    out[i] = sum(x);
}

fn main() {}
