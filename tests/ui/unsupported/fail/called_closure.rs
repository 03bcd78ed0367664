use kernel_rt::prelude::*;

#[kernel]
fn broken(x: &[f32], out: &mut [f32]) {
    let i = tid();
    let twice = |v: f32| v * 2.0;
    out[i] = twice(x[i]);
}

fn main() {}
