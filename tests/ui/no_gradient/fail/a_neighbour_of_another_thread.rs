use kernel_rt::prelude::*;

#[kernel]
fn broken(a: &mut [f64]) {
    let i = tid();
    if i + 1 < a.len() {
        a[i] = a[i + 1] * a[i];
    }
}

fn main() {}
