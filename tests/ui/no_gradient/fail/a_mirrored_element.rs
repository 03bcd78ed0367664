use kernel_rt::prelude::*;

#[kernel]
fn broken(a: &mut [f64]) {
    let i = tid();
    let j = a.len() - 1 - i;
    let first = a[i];
    a[i] = a[j] * 2.0;
    a[j] = first;
}

fn main() {}
