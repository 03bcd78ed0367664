use kernel_rt::prelude::*;

#[kernel]
fn broken(x: &[f32], out: &mut [f32]) {
    let i = tid();
    let row = x;
    out[i] = row[i];
}

fn main() {}
