use kernel_rt::prelude::*;

#[kernel]
fn broken(mask: &[bool], x: &mut [f32]) {
    let i = tid();
    x[i] = mask[i] * x[i];
}

fn main() {}
