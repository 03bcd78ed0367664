use kernel_rt::prelude::*;

const G: f32 = 9.81;

#[kernel]
fn broken(v: &mut [f32]) {
    let i = tid();
    v[i] -= 0.01 * G;
}

fn main() {}
