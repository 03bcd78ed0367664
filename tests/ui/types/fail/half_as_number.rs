use kernel_rt::prelude::*;

#[kernel]
fn widen(x: &[bf16], y: &mut [f32]) {
    let i = tid();
    y[i] = x[i] as f32 * 2.0;
}

fn main() {}
