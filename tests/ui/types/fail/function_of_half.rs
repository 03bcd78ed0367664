use kernel_rt::prelude::*;

#[kernel]
fn waves(x: &[f16], y: &mut [f16]) {
    let i = tid();
    y[i] = x[i].sin();
}

fn main() {}
