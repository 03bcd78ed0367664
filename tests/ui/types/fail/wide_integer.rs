use kernel_rt::prelude::*;

#[kernel]
fn broken(a: u128, out: &mut [f32]) {
    let i = tid();
    out[i] = 1.0;
}

fn main() {}
