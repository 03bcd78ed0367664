use kernel_rt::prelude::*;

#[kernel]
fn broken(x: &[f64], range: &mut [f64]) {
    let i = tid();
    atomic_min(&mut range[0], x[i]);
    atomic_max(&mut range[1], x[i]);
}

fn main() {}
