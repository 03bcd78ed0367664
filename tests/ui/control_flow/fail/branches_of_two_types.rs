use kernel_rt::prelude::*;

#[kernel]
fn broken(x: &[f32], out: &mut [f32]) {
    let i = tid();
    out[i] = if x[i] > 0.0 { x[i] } else { 0 };
}

fn main() {}
