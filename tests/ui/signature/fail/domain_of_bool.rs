use kernel_rt::prelude::*;

#[kernel]
fn broken(#[domain(0..2)] mask: &mut [bool], x: &[f32]) {
    let i = tid();
    mask[i] &= x[i] > 0.0;
}

fn main() {}
