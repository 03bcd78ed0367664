//! Vectors and matrices of any size, through every stage: the CPU and its adjoint against the interpreter and dual
//! numbers, the emitted C++ and CUDA, and Warp.

use kernel_rt::prelude::*;

/// Spatial algebra: the power of a wrench on a twist, the kinetic energy of a body, and its momentum.
#[kernel(family = "test")]
pub fn spatial(
    #[domain(-1.0..1.0)] inertia: &[Matrix<f32, 6, 6>],
    #[domain(-1.0..1.0)] twist: &[Vector<f32, 6>],
    #[domain(-1.0..1.0)] wrench: &[Vector<f32, 6>],
    momentum: &mut [Vector<f32, 6>],
    power: &mut [f32],
    energy: &mut [f32],
) {
    let i = tid();
    let v = twist[i];
    let p = inertia[i] * v;
    momentum[i] = p;
    power[i] = wrench[i].dot(v) + p[5] * v[0];
    energy[i] = 0.5 * p.dot(v) + v.length();
}

/// A quadratic form by a matrix that is not square, with constructors, rows and transposes.
#[kernel(family = "test")]
pub fn rectangular(
    #[domain(-1.0..1.0)] jacobian: &[Matrix<f64, 2, 3>],
    #[domain(-1.0..1.0)] step: &[DVec3],
    weight: f64,
    residual: &mut [DVec2],
    normal: &mut [DMat3],
    loss: &mut [f64],
) {
    let i = tid();
    let j = jacobian[i];
    let r = j * step[i] - j.y_axis * weight;
    residual[i] = r;
    let square = j.transpose() * j;
    normal[i] = square + DMat3::from_diagonal(j.row(1)) * weight;
    let mut wide = Matrix::<f64, 2, 3>::from_cols(r, r * weight, j.x_axis);
    wide.z_axis.y += 1.0;
    *wide.col_mut(i % 3) *= 2.0;
    loss[i] = (wide * step[i]).dot(r) + square.z_axis.x;
}

/// A long state in a loop, its parts by index, and the extremes.
#[kernel(family = "test")]
pub fn long_state(#[domain(-1.0..1.0)] x: &[Vector<f32, 8>], n: u32, y: &mut [Vector<f32, 8>], sums: &mut [f32]) {
    let i = tid();
    let mut state = x[i];
    let mut last = Vector::<f32, 8>::new(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0);
    for k in 0..n {
        let place = (k as usize + i) % 8;
        state[place] = state[place] * 0.5 + state[7 - place] * last[place];
        last = last.max(state) * 0.25 + Vector::<f32, 8>::splat(0.125);
    }
    y[i] = state + last;
    sums[i] = state.min_element() + last.max_element() + state.element_sum() * last.element_product();
}

/// Integers: a histogram of pairs, and single components.
#[kernel(family = "test")]
pub fn counters(
    #[domain(0..5)] of: &[Vector<i32, 5>],
    #[shape(3)] totals: &mut [Vector<i32, 5>],
    one: &mut [Vector<f32, 1>],
) {
    let i = tid();
    atomic_add(&mut totals[i % 3], of[i]);
    atomic_add(&mut totals[0][4], 1);
    one[i] = Vector::<f32, 1>::new(of[i].dot(of[i]) as f32);
    one[i].x += 1.0;
}

/// Outer products, skew-symmetric matrices and traces, of squares and other shapes: a Rodrigues rotation and a covariance.
#[kernel(family = "test")]
pub fn rotated_covariance(
    #[domain(-1.0..1.0)] axis: &[Vec3],
    #[domain(-3.0..3.0)] angle: &[f32],
    #[domain(-1.0..1.0)] state: &[Vector<f64, 6>],
    rotations: &mut [Mat3],
    covariance: &mut [Matrix<f64, 6, 6>],
    traces: &mut [DVec2],
) {
    let i = tid();
    let k = axis[i];
    rotations[i] = Mat3::IDENTITY * angle[i].cos() + k.skew() * angle[i].sin() + k.outer(k) * (1.0 - angle[i].cos());
    let p = state[i].outer(state[i]);
    covariance[i] = p * 0.5;
    let wide = DVec2::new(state[i][0], state[i][1]).outer(state[i]);
    traces[i] = DVec2::new(p.trace() * 2.0, (wide * wide.transpose()).trace());
}
