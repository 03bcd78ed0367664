use kernel_rt::prelude::*;

#[kernel]
fn broken(x: &[f64], y: &mut [f64]) {
    let i = tid();
    y[0] = y[0] * x[i];
}

fn main() {}
