use kernel_rt::prelude::*;

#[device]
fn pair(x: f32) -> (f32, f32) {
    (x, x * 2.0)
}

#[kernel]
fn broken(x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = pair(x[i]);
}

fn main() {}
