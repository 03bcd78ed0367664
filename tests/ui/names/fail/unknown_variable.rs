use kernel_rt::prelude::*;

#[kernel]
fn broken(x: &[f32], out: &mut [f32]) {
    let i = tid();
    let total = x[i];
    out[i] = totl;
}

fn main() {}
