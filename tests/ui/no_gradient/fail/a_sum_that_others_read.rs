use kernel_rt::prelude::*;

#[kernel]
fn broken(x: &[f64], y: &mut [f64], z: &mut [f64]) {
    let i = tid();
    y[i] += x[i];
    z[i] = y[(i + 1) % y.len()];
}

fn main() {}
