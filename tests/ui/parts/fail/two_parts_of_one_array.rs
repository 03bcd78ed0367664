use kernel_rt::prelude::*;

#[device]
fn copy(from: &[f32], to: &mut [f32]) {
    to[0] = from[0];
}

#[kernel]
fn broken(y: &mut [f32]) {
    let i = tid();
    copy(&y[..i], &mut y[i..]);
}

fn main() {}
