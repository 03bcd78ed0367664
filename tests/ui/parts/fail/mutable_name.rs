use kernel_rt::prelude::*;

#[kernel]
fn broken(x: &[f32], out: &mut [f32]) {
    let mut s = &x[0..2];
    out[tid()] = s[0];
}

fn main() {}
