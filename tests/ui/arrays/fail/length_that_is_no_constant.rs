use kernel_rt::prelude::*;

#[kernel]
fn broken(x: &[f32], out: &mut [f32]) {
    let i = tid();
    let mut sums = [0.0f32; x.len()];
    sums[i] += x[i];
    out[i] = sums[0];
}

fn main() {}
