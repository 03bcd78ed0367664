use kernel_rt::prelude::*;

#[kernel(family = "test")]
fn broken(m: &Array2<f32>, out: &mut [f32]) {
    let i = tid();
    out[i] = m[[i, 0]];
}

fn main() {}
