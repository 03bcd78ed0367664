//! Correct kernels. The program writes mistakes in the places of the comments.

use kernel_rt::prelude::*;

/// It calls nothing of the author's, so its attribute expands in one step.
#[kernel]
pub fn heights(rest: f32, x: &[Vec3], out: &mut [f32]) {
    let i = tid();
    let v = x[i];
    let height = v.z;
    // HERE
    let above = height;
    let twice = above;
    out[i] = rest * twice;
}

/// A device function, whose source reaches kernels by a macro.
#[device]
pub fn force(rest: f32, at: Vec3) -> f32 {
    let v = at;
    let height = v.z;
    // HERE
    let above = height;
    let twice = above;
    rest * twice
}

/// It calls a device function, so its attribute expands in two steps.
#[kernel]
pub fn springs(rest: f32, x: &[Vec3], out: &mut [f32]) {
    let i = tid();
    let v = x[i];
    let height = v.z;
    // HERE
    let above = force(rest, v);
    let twice = above;
    out[i] = rest * twice + height;
}
