use kernel_rt::prelude::*;

#[kernel]
fn broken(x: &[f64], total: &mut [f64], share: &mut [f64]) {
    let i = tid();
    atomic_add(&mut total[0], x[i]);
    share[i] = x[i] / total[0];
}

fn main() {}
