use kernel_rt::prelude::*;

#[kernel]
fn doubled(x: &mut [f16]) {
    let i = tid();
    x[i] *= 2.0f16;
}

fn main() {}
