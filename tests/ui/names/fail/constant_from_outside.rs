use kernel_rt::prelude::*;

const LIMIT: f32 = 2.0;

#[kernel]
fn broken(x: &[f32], out: &mut [f32]) {
    let i = tid();
    out[i] = x[i].min(LIMIT);
}

fn main() {}
