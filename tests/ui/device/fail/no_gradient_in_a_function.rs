use kernel_rt::prelude::*;

#[device]
fn is_first(i: usize) -> usize {
    i % 2
}

#[kernel]
fn broken(x: &[f32], out: &mut [f32]) {
    let i = tid();
    out[is_first(i)] = x[i];
}

fn main() {}
