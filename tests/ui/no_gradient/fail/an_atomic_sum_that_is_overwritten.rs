use kernel_rt::prelude::*;

#[kernel]
fn broken(x: &[f64], total: &mut [f64]) {
    let i = tid();
    total[0] = 0.0;
    atomic_add(&mut total[0], x[i]);
}

fn main() {}
