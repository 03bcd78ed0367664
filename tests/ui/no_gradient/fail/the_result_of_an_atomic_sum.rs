use kernel_rt::prelude::*;

#[kernel]
fn broken(x: &[f64], total: &mut [f64], before: &mut [f64]) {
    let i = tid();
    let old = atomic_add(&mut total[0], x[i]);
    before[i] = old * x[i];
}

fn main() {}
