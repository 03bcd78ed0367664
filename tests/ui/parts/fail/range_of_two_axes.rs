use kernel_rt::prelude::*;

#[kernel]
fn broken(m: &Array2<f32>, out: &mut [f32]) {
    let s = &m[0..2];
    out[tid()] = s[0];
}

fn main() {}
