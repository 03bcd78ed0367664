use kernel_rt::prelude::*;

#[kernel]
fn broken((a, b): (f32, f32), out: &mut [f32]) {
    let i = tid();
    out[i] = 2.0;
}

fn main() {}
