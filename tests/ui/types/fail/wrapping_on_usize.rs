use kernel_rt::prelude::*;

#[kernel]
fn broken(out: &mut [u32]) {
    let i = tid();
    out[i.wrapping_mul(3)] = 1;
}

fn main() {}
