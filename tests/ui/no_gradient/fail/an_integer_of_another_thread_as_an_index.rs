use kernel_rt::prelude::*;

#[kernel]
fn broken(x: &[f64], next: &mut [u32], y: &mut [f64]) {
    let i = tid();
    y[i] = x[next[i] as usize] * x[i];
    next[(i + 1) % x.len()] = 0;
}

fn main() {}
