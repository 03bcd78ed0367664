use kernel_rt::prelude::*;

#[kernel]
fn broken(x: &[f32], y: &mut [f32]) {
    let i = tid();
    let pair = (x[i], 1.0);
    pair.0 = 2.0;
    y[i] = pair.0 + pair.1;
}

fn main() {}
