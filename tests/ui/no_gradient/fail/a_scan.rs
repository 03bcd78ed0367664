use kernel_rt::prelude::*;

#[kernel]
fn broken(x: &[f64], y: &mut [f64]) {
    for j in 1..x.len() {
        y[j] = y[j - 1] * x[j];
    }
}

fn main() {}
