use kernel_rt::prelude::*;

#[kernel]
fn broken(x: &[f32], out: &mut [f32]) {
    out[tid()] = x[0.5];
}

fn main() {}
