use kernel_rt::prelude::*;

#[kernel]
fn broken(#[shape(4, 4)] x: &[f32], out: &mut [f32]) {
    out[tid()] = x[0];
}

fn main() {}
