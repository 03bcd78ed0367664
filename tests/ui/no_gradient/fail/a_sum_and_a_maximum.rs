use kernel_rt::prelude::*;

#[kernel]
fn broken(x: &[f64], y: &mut [f64]) {
    let i = tid();
    atomic_add(&mut y[0], x[i]);
    atomic_max(&mut y[0], x[i] * x[i]);
}

fn main() {}
