use kernel_rt::prelude::*;

#[kernel(no_grad, slots = 8)]
fn forward_only(x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = x[i];
}

fn main() {}
