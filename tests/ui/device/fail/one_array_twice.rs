use kernel_rt::prelude::*;

#[device]
fn swap(a: &mut [f32], b: &mut [f32], i: usize) {
    (a[i], b[i]) = (b[i], a[i]);
}

#[kernel]
fn broken(y: &mut [f32]) {
    let i = tid();
    swap(y, y, i);
}

fn main() {}
