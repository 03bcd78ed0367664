use kernel_rt::prelude::*;

#[device]
fn pair(x: f32) -> (f32, f32) {
    (x, x * 2.0)
}

#[kernel]
fn broken(x: &[f32], y: &mut [f32]) {
    let i = tid();
    let nested = (pair(x[i]), 1.0);
    y[i] = nested.1;
}

fn main() {}
