use kernel_rt::prelude::*;

#[kernel]
fn broken(#[domain(0..8, permutation)] x: &[u32], out: &mut [f32]) {
    out[tid()] = x[0] as f32;
}

fn main() {}
