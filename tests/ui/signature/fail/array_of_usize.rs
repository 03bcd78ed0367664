use kernel_rt::prelude::*;

#[kernel]
fn broken(x: &[usize], out: &mut [f32]) {
    let i = tid();
    out[i] = 2.0;
}

fn main() {}
