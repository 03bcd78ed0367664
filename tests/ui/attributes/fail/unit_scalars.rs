use kernel_rt::prelude::*;

#[kernel]
fn broken(#[domain(unit)] x: &[f32], out: &mut [f32]) {
    out[tid()] = x[0];
}

fn main() {}
