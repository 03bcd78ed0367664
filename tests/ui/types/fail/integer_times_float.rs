use kernel_rt::prelude::*;

#[kernel]
fn broken(n: i32, x: &[f32], out: &mut [f32]) {
    let i = tid();
    out[i] = n * x[i];
}

fn main() {}
