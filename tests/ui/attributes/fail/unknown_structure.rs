use kernel_rt::prelude::*;

#[kernel]
fn broken(#[domain(0.0..2.0, ascending)] x: &[f32], out: &mut [f32]) {
    out[tid()] = x[0];
}

fn main() {}
