use kernel_rt::prelude::*;

#[kernel]
fn broken(out: &mut [f32]) {
    let i = tid();
    let a;
    out[i] = 1.0;
}

fn main() {}
