use kernel_rt::prelude::*;

#[device]
fn put(y: &mut [f32], i: usize, value: f32) {
    y[i] = value;
}

#[kernel]
fn broken(x: &[f32], y: &mut [f32]) {
    let i = tid();
    put(x, i, 1.0);
    y[i] = 1.0;
}

fn main() {}
