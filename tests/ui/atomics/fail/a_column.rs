use kernel_rt::prelude::*;

#[kernel]
fn collect(x: &[Vec3], m: &mut [Mat3]) {
    let i = tid();
    atomic_add(&mut m[0].x_axis, x[i]);
}

fn main() {}
