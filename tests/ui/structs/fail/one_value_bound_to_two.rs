use kernel_rt::prelude::*;

#[device]
fn pair(x: f32) -> f32 {
    x * 2.0
}

#[kernel]
fn broken(x: &[f32], y: &mut [f32]) {
    let i = tid();
    let (a, b) = pair(x[i]);
    y[i] = a + b;
}

fn main() {}
