use kernel_rt::prelude::*;

#[kernel]
fn broken(#[shape(n)] x: &[f32], n: i32, out: &mut [f32]) {
    out[tid()] = x[0] + n as f32;
}

fn main() {}
