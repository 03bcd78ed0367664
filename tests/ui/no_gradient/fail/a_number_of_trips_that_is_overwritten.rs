use kernel_rt::prelude::*;

#[kernel]
fn broken(x: &[f64], count: &mut [i32], y: &mut [f64]) {
    let i = tid();
    let mut s = x[i];
    for _ in 0..count[0] {
        s = s * s;
        atomic_add(&mut count[1], 1);
    }
    y[i] = s;
}

fn main() {}
