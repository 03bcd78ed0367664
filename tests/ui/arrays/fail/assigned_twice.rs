use kernel_rt::prelude::*;

#[kernel]
fn broken(x: &[f32], out: &mut [f32]) {
    let i = tid();
    let a = x[i];
    a = 2.0 * a;
    out[i] = a;
}

fn main() {}
