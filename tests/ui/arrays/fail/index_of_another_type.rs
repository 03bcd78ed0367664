use kernel_rt::prelude::*;

#[kernel]
fn broken(k: i32, x: &[f32], out: &mut [f32]) {
    out[tid()] = x[k];
}

fn main() {}
