//! Torture: missing data. A thread has NaN or infinity in its inputs, and by-value parameters have gradients.

use super::{Hostile, hostile};
use kernel_rt::prelude::*;

#[kernel(family = "torture")]
fn factor_of_missing(#[domain(0.5..1.5)] a: f32, #[domain(0.5..1.5)] x: &[f32], y: &mut [f32]) {
    let i = tid();
    let product = a * x[i];
    y[i] = if x[i].is_nan() { 0.0 } else { product };
}

#[kernel(family = "torture")]
fn factor_under_a_mask(
    #[domain(0.5..1.5)] a: f64,
    #[domain(1..2)] mask: &[i32],
    #[domain(0.5..1.5)] x: &[f64],
    y: &mut [f64],
) {
    let i = tid();
    let product = a * x[i] * x[i];
    y[i] = if mask[i] == 0 { 0.0 } else { product };
}

#[kernel(family = "torture")]
fn distances_from_a_center(#[domain(0.5..1.5)] center: Vec3, #[domain(0.5..1.5)] points: &[Vec3], y: &mut [f32]) {
    let i = tid();
    let distance = (points[i] - center).length_squared();
    y[i] = if distance < 1e30 { distance } else { 0.0 };
}

#[kernel(family = "torture")]
fn total_of_present(#[domain(0.5..1.5)] a: f32, #[domain(0.5..1.5)] x: &[f32], #[shape(1)] total: &mut [f32]) {
    let i = tid();
    let square = a * x[i] * x[i];
    atomic_add(&mut total[0], if x[i] < 1e10 { square } else { 0.0 });
}

/// Sums over the trips of many threads, one of which meets infinity.
#[kernel(family = "torture")]
fn recurrence_of_many_threads(
    #[domain(0.2..0.5)] a: f32,
    #[shape(dim0 * 8)]
    #[domain(0.5..1.5)]
    x: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    let mut s = 0.0;
    for k in 0..8 {
        s += a * x[i * 8 + k] * x[i * 8 + k];
    }
    y[i] = s;
}

/// The squared residuals of a line, without the labels that are missing.
#[kernel(family = "torture")]
fn residuals_of_a_line(
    #[domain(0.5..1.5)] slope: f64,
    #[domain(0.5..1.5)] offset: f64,
    #[domain(0.5..1.5)] x: &[f64],
    #[domain(0.5..1.5)] label: &[f64],
    y: &mut [f64],
) {
    let i = tid();
    let residual = slope * x[i] + offset - label[i];
    let square = residual * residual;
    y[i] = if label[i].is_nan() { 0.0 } else { square };
}

#[kernel(family = "torture")]
fn missing_neighbour(
    #[shape(dim0 + 1)]
    #[domain(0.5..1.5)]
    x: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    let mean = 0.5 * (x[i] + x[i + 1]) * x[i];
    y[i] = if x[i + 1].is_nan() || x[i].is_nan() { 1.0 } else { mean };
}

#[kernel(family = "torture")]
fn sum_of_present(
    #[domain(0.5..1.5)]
    #[shape(4)]
    x: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    let mut sum = 0.0;
    for k in 0..x.len() {
        let square = x[k] * x[k];
        if !x[k].is_nan() {
            sum += square;
        }
    }
    y[i] = sum;
}

/// A mean over what is present, with a count.
#[kernel(family = "torture")]
fn mean_of_present(
    #[domain(0.5..1.5)]
    #[shape(4)]
    x: &[f64],
    y: &mut [f64],
) {
    let i = tid();
    let mut sum = 0.0;
    let mut count = 0.0;
    for k in 0..x.len() {
        let scaled = x[k] * x[k];
        sum += if x[k].is_finite() { scaled } else { 0.0 };
        count += if x[k].is_finite() { 1.0 } else { 0.0 };
    }
    y[i] = (sum / count).sqrt();
}

/// A by-value quaternion turns points, some of which are missing.
#[kernel(family = "torture")]
fn turned_points(#[domain(0.3..0.6)] q: Quat, #[domain(0.5..1.5)] points: &[Vec3], y: &mut [f32]) {
    let i = tid();
    let point = Quat::from_xyzw(points[i].x, points[i].y, points[i].z, 0.0);
    let turned = q * point * q.conjugate();
    y[i] = if points[i].x.is_nan() { 0.0 } else { turned.x * turned.y };
}

/// A by-value matrix column over points that overflow.
#[kernel(family = "torture")]
fn transformed_points(#[domain(0.5..1.5)] first: Vec2, #[domain(0.5..1.5)] points: &[Vec2], y: &mut [f32]) {
    let i = tid();
    let m = Mat2::from_cols(first, points[i]);
    let moved = m * points[i];
    y[i] = if points[i].y.is_finite() { moved.x * moved.y } else { 3.0 };
}

pub(super) fn cases() -> Vec<Hostile> {
    const INFINITY: f64 = f64::INFINITY;
    const NAN: f64 = f64::NAN;
    let mut rows: Vec<f64> = (0..130 * 8).map(|place| f64::from(place % 7) * 0.25 + 0.5).collect();
    rows[77 * 8 + 3] = INFINITY;
    rows[100 * 8 + 5] = NAN;
    let weights: Vec<f64> = (0..130).map(|thread| if [77, 100].contains(&thread) { 0.0 } else { 0.125 }).collect();
    vec![
        hostile("factor_of_missing", "by-value factor; NaN in a thread")
            .over(3)
            .with("a", &[2.0])
            .with("x", &[3.0, NAN, 5.0]),
        hostile("factor_under_a_mask", "by-value factor; a masked thread is infinite, f64")
            .over(3)
            .with("a", &[2.0])
            .with("mask", &[1.0, 0.0, 1.0])
            .with("x", &[3.0, INFINITY, 5.0]),
        hostile("distances_from_a_center", "by-value vector; points at infinity and NaN")
            .over(4)
            .with("center", &[1.0, 2.0, 3.0])
            .with("points", &[2.0, 4.0, 1.0, INFINITY, 1.0, 1.0, 1e20, 0.0, 1.0, 5.0, NAN, 1.0]),
        hostile("total_of_present", "`atomic_add` of what is finite, by-value factor")
            .over(4)
            .with("a", &[2.0])
            .with("x", &[3.0, INFINITY, 5.0, 1e20])
            .with("total", &[0.0]),
        hostile("recurrence_of_many_threads", "loops of 130 threads, two are not finite, by-value factor")
            .over(130)
            .with("a", &[0.5])
            .with("x", &rows)
            .weighing("y", &weights),
        hostile("residuals_of_a_line", "regression without missing labels, two by-value parameters, f64")
            .over(4)
            .with("slope", &[2.0])
            .with("offset", &[0.5])
            .with("x", &[1.0, 2.0, 3.0, 4.0])
            .with("label", &[3.0, NAN, 5.0, NAN]),
        hostile("missing_neighbour", "stencil over a missing neighbour").over(4).with("x", &[1.0, 2.0, NAN, 4.0, 3.0]),
        hostile("sum_of_present", "sum of what is present, by a branch").with("x", &[1.0, NAN, 3.0, 2.0]),
        hostile("mean_of_present", "mean of what is finite, f64").with("x", &[1.0, INFINITY, 3.0, NAN]),
        hostile("turned_points", "by-value quaternion; NaN in a point")
            .over(3)
            .with("q", &[0.5, 0.25, 0.5, 0.75])
            .with("points", &[1.0, 2.0, 3.0, NAN, 1.0, 2.0, 3.0, 1.0, 2.0]),
        hostile("transformed_points", "column of a matrix by value; an infinite point")
            .over(3)
            .with("first", &[2.0, 3.0])
            .with("points", &[1.0, 2.0, 3.0, INFINITY, 2.0, 5.0]),
    ]
}
