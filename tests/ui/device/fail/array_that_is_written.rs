use kernel_rt::prelude::*;

#[device]
fn sum(x: &[f32], i: usize) -> f32 {
    x[i] + x[i + 1]
}

#[kernel]
fn broken(y: &mut [f32]) {
    let i = tid();
    y[i] = sum(y, i);
}

fn main() {}
