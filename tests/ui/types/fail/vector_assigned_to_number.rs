use kernel_rt::prelude::*;

#[kernel]
fn broken(v: &[Vec3], out: &mut [f32]) {
    let i = tid();
    out[i] = v[i] * v[i];
}

fn main() {}
