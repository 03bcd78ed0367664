use kernel_rt::prelude::*;

#[kernel]
fn broken(x: &[f64], y: &mut [f64]) {
    let i = tid();
    if x[i] > 0.0 {
        y[i - 1] = y[i - 1] * x[i];
    }
    if x[i] > 1.0 {
        y[i - 1] = y[i - 1] + 1.0;
    }
}

fn main() {}
