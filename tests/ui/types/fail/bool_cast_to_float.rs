use kernel_rt::prelude::*;

#[kernel]
fn broken(c: bool, out: &mut [f32]) {
    let i = tid();
    out[i] = c as f32;
}

fn main() {}
