use kernel_rt::prelude::*;

#[kernel]
fn broken(a: Vec2, b: Vec3, out: &mut [Vec3]) {
    let i = tid();
    out[i] = a + b;
}

fn main() {}
