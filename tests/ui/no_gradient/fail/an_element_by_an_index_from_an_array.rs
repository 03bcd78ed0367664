use kernel_rt::prelude::*;

#[kernel]
fn broken(to: &[u32], y: &mut [f64]) {
    let i = tid();
    y[to[i] as usize] *= 2.0;
}

fn main() {}
