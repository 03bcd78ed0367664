use kernel_rt::prelude::*;

#[kernel]
fn broken(sum: &mut [Vec3]) {
    atomic_add(&mut sum[0], Vec3::ONE);
}

fn main() {}
