use kernel_rt::prelude::*;

#[kernel]
fn broken(x: &[f32], y: &mut [f32]) {
    let i = tid();
    let (a, b);
    (a, b) = (x[i], 1.0);
    y[i] = a + b;
}

fn main() {}
