use kernel_rt::prelude::*;

#[device]
fn put(y: &mut [f32], i: usize, value: f32) {
    y[i] = value;
}

#[kernel]
fn broken(y: &mut [f32]) {
    let i = tid();
    put(&mut y, i, 1.0);
}

fn main() {}
