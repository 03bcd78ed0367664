use kernel_rt::prelude::*;

#[kernel]
fn broken(from: &[u32], y: &mut [f64]) {
    let i = tid();
    let value = y[from[i] as usize];
    y[i] = value * value;
}

fn main() {}
