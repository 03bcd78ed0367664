//! Torture: locals with several values over time. Components, shadowing, branches, quaternions.

use kernel_rt::prelude::*;

/// A component that is assigned twice.
#[kernel(family = "torture")]
fn component_twice(#[domain(0.5..1.5)] x: &[f64], y: &mut [f64]) {
    let i = tid();
    let mut v = DVec3::new(x[i], 2.0, 3.0);
    v.x = v.x * v.x;
    v.y = v.x * x[i];
    v.x *= v.y;
    y[i] = v.x + v.y * v.z;
}

/// A local vector under an index that is known at run time.
#[kernel(family = "torture")]
fn runtime_component(#[domain(0..4)] first: &[u32], #[domain(0.5..1.5)] x: &[f64], y: &mut [f64]) {
    let i = tid();
    let mut v = DVec4::new(x[i], 0.3, 0.7, 1.1);
    for k in 0..6 {
        let from = (first[i] as usize + k) % 4;
        let to = (from + 1) % 4;
        v[to] = v[to] * v[from] + x[i];
    }
    y[i] = v[0] + v[1] * v[2] + v[3];
}

/// A chain of rotations, each a normalised quaternion, applied to a vector.
#[kernel(family = "torture")]
fn quaternion_chain(
    #[domain(3..4)] n: i32,
    #[shape(3)]
    #[domain(0.2..1.0)]
    turn: &[DQuat],
    #[domain(-1.0..1.0)] point: &[DVec3],
    turned: &mut [DVec3],
) {
    let i = tid();
    let mut q = DQuat::IDENTITY;
    for k in 0..n {
        q = (q * turn[k as usize]).normalize();
    }
    turned[i] = q * point[i];
}

/// A name that means another value in the block inside and in the rest.
#[kernel(family = "torture")]
fn shadowed(#[domain(2..6)] trips: i32, #[domain(0.5..1.2)] x: &[f64], y: &mut [f64]) {
    let i = tid();
    let s = x[i];
    let mut r = s;
    for _ in 0..trips {
        let s = r * r;
        let s = s * s + 0.1;
        r = 0.5 * s + 0.3 * r;
    }
    y[i] = r * s;
}

/// A variable that only one branch assigns.
#[kernel(family = "torture")]
fn assigned_in_one_branch(#[domain(-1.0..1.0)] x: &[f64], y: &mut [f64]) {
    let i = tid();
    let mut factor = x[i];
    if x[i] > 0.0 {
        factor = factor * factor * x[i];
    }
    y[i] = factor * x[i];
}

super::torture! {
    /// vector component assigned twice
    component_twice;
    /// local vector indexed at run time
    runtime_component;
    /// chain of quaternions
    quaternion_chain;
    /// shadowed local
    shadowed;
    /// variable assigned in one branch
    assigned_in_one_branch;
}
