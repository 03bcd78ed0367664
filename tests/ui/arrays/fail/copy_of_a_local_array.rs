use kernel_rt::prelude::*;

#[kernel]
fn broken(x: &[f32], out: &mut [f32]) {
    let i = tid();
    let weights = [0.25, 0.5, 0.25];
    let copy = weights;
    out[i] = x[i] * copy[0];
}

fn main() {}
