use kernel_rt::prelude::*;

#[kernel]
fn broken(x: &[f32], out: &mut [f32]) {
    let i = tid();
    let part = x[0..4];
    out[i] = 1.0;
}

fn main() {}
