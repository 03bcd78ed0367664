use kernel_rt::prelude::*;

#[kernel]
fn broken(x: &[f64], steps: &mut [i32], y: &mut [f64]) {
    let i = tid();
    y[i] = x[i] * steps[0] as f64;
    steps[0] = steps[0] + 1;
}

fn main() {}
