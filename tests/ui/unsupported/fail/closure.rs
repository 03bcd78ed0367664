use kernel_rt::prelude::*;

#[kernel]
fn broken(x: &[f32], out: &mut [f32]) {
    let i = tid();
    let twice = |a: f32| 2.0 * a;
    out[i] = x[i];
}

fn main() {}
