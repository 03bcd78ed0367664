use kernel_rt::prelude::*;

#[device]
fn twice(x: f32) -> f32 {
    2.0 * x
}

#[kernel]
fn broken(x: &[f32], out: &mut [f32]) {
    let i = tid();
    out[i] = twice(x);
}

fn main() {}
