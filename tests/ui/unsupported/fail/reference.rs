use kernel_rt::prelude::*;

#[kernel]
fn broken(x: &[f32], out: &mut [f32]) {
    let i = tid();
    let a = &x[i];
    out[i] = 1.0;
}

fn main() {}
