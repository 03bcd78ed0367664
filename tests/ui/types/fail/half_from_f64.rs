use kernel_rt::prelude::*;

#[kernel]
fn shorten(x: &[f64], y: &mut [f16]) {
    let i = tid();
    y[i] = f16::from_f64(x[i]);
}

fn main() {}
