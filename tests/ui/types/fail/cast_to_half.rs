use kernel_rt::prelude::*;

#[kernel]
fn shorten(x: &[f32], y: &mut [f16]) {
    let i = tid();
    y[i] = x[i] as f16;
}

fn main() {}
