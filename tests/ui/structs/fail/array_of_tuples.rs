use kernel_rt::prelude::*;

#[kernel]
fn broken(pairs: &[(f32, f32)], y: &mut [f32]) {
    let i = tid();
    y[i] = pairs[i].0;
}

fn main() {}
