use kernel_rt::prelude::*;

#[kernel]
fn broken(x: &[f32], out: &mut [f32]) {
    let i = tid();
    for value in x {
        out[i] += value;
    }
}

fn main() {}
