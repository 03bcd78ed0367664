use kernel_rt::prelude::*;

#[device]
fn sum(x: &[f32], i: usize) -> f32 {
    x[i] + x[i + 1]
}

#[kernel]
fn broken(x: &[f32], out: &mut [f32]) {
    let i = tid();
    out[i] = sum(x[i], i);
}

fn main() {}
