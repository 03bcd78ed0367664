use kernel_rt::prelude::*;

#[kernel(slots = 0)]
fn none(x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = x[i];
}

#[kernel(slots = 100_000)]
fn too_many(x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = x[i];
}

#[kernel(slots = 8, slots = 9)]
fn twice(x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = x[i];
}

fn main() {}
