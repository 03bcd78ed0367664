use kernel_rt::prelude::*;

#[device]
#[derive(Clone, Copy)]
struct Force {
    push: Vec3,
    most: f32,
}

#[kernel]
fn largest(x: &[f32], #[shape(1)] forces: &mut [Force]) {
    let i = tid();
    atomic_max(&mut forces[0].most, x[i]);
}

#[kernel]
fn whole(forces: &[Force], #[shape(1)] total: &mut [Force]) {
    let i = tid();
    atomic_add(&mut total[0], forces[i]);
}

fn main() {}
