use kernel_rt::prelude::*;

#[kernel]
fn broken(x: &[f32], out: &mut [f32]) {
    let i = tid();
    let pair = (x[i], 1.0);
    out[i] = x[i];
}

fn main() {}
