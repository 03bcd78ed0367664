use kernel_rt::prelude::*;

#[kernel]
fn broken(x: &[f64], most: &mut [f64], y: &mut [f64]) {
    let i = tid();
    if atomic_max(&mut most[0], x[i]) < x[i] {
        y[i] = x[i] * x[i];
    }
}

fn main() {}
