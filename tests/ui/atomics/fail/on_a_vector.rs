use kernel_rt::prelude::*;

#[kernel]
fn collect(position: &[Vec3], nearest: &mut [Vec3]) {
    let i = tid();
    atomic_min(&mut nearest[0], position[i]);
}

#[kernel]
fn lowest(position: &[Vec3], nearest: &mut [Vec3]) {
    let i = tid();
    atomic_min(&mut nearest[0].y, position[i].y);
}

fn main() {}
