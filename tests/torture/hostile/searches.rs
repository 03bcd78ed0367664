//! Torture: searches that start at infinity, and infinite operands that `min`, `max` and `clamp` discard.

use super::{Hostile, hostile};
use kernel_rt::prelude::*;

#[kernel(family = "torture")]
fn nearest_by_branches(
    #[domain(0.5..1.5)]
    #[shape(3)]
    x: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    let mut nearest = f32::INFINITY;
    for k in 0..x.len() {
        let t = 2.0 / (x[k] * x[k]);
        if t < nearest {
            nearest = t;
        }
    }
    y[i] = nearest * nearest;
}

#[kernel(family = "torture")]
fn nearest_by_min(
    #[domain(0.5..1.5)]
    #[shape(3)]
    x: &[f64],
    y: &mut [f64],
) {
    let i = tid();
    let mut nearest = f64::INFINITY;
    for k in 0..x.len() {
        nearest = nearest.min(2.0 / (x[k] * x[k]));
    }
    y[i] = nearest * nearest;
}

/// What the search holds before its first hit enters a product.
#[kernel(family = "torture")]
fn weighted_by_the_nearest(
    #[domain(0.5..1.5)]
    #[shape(3)]
    x: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    let mut nearest = f32::INFINITY;
    let mut weight = 0.0;
    for k in 0..x.len() {
        let scaled = nearest * x[k];
        if x[k] < nearest {
            weight += scaled.min(8.0);
            nearest = x[k];
        }
    }
    y[i] = nearest * weight;
}

#[kernel(family = "torture")]
fn two_nearest(
    #[domain(0.5..1.5)]
    #[shape(4)]
    x: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    let mut first = f32::INFINITY;
    let mut second = f32::INFINITY;
    for k in 0..x.len() {
        let d = x[k] * x[k];
        if d < first {
            second = first;
            first = d;
        } else if d < second {
            second = d;
        }
    }
    y[i] = second / first;
}

#[kernel(family = "torture")]
fn largest_from_minus_infinity(
    #[domain(0.5..1.5)]
    #[shape(3)]
    x: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    let mut top = f32::NEG_INFINITY;
    for k in 0..x.len() {
        top = top.max(x[k].ln());
    }
    y[i] = top * top;
}

/// A search that starts at NaN, which `min` leaves out.
#[kernel(family = "torture")]
fn smallest_from_nan(
    #[domain(0.5..1.5)]
    #[shape(3)]
    x: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    let mut least = f32::NAN;
    for k in 0..x.len() {
        least = least.min(x[k] * x[k]);
    }
    y[i] = least;
}

/// A ray that misses the sphere: the root of a negative discriminant.
#[kernel(family = "torture")]
fn ray_and_sphere(
    #[domain(1.2..1.5)]
    #[shape(2)]
    x: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    let discriminant = x[0] * x[0] - x[1];
    let t = x[0] - discriminant.sqrt();
    y[i] = if discriminant > 0.0 { t } else { x[0] * x[1] };
}

/// The slab test of a ray and a box, for a ray along an axis.
#[kernel(family = "torture")]
fn ray_and_box(
    #[domain(0.5..1.5)]
    #[shape(2)]
    ray: &[Vec3],
    y: &mut [f32],
) {
    let i = tid();
    let inverse = Vec3::ONE / ray[1];
    let near = (Vec3::splat(-2.0) - ray[0]) * inverse;
    let far = (Vec3::splat(2.0) - ray[0]) * inverse;
    let entry = near.min(far).max_element();
    let exit = near.max(far).min_element();
    y[i] = exit * exit + entry;
}

#[kernel(family = "torture")]
fn clamped_ratio(
    #[domain(0.5..1.5)]
    #[shape(2)]
    x: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    y[i] = (x[0] / (x[1] * x[1])).clamp(0.0, 4.0) * x[0];
}

#[kernel(family = "torture")]
fn min_leaves_out_infinity(
    #[domain(0.5..1.5)]
    #[shape(2)]
    x: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    y[i] = (1.0 / (x[0] * x[0])).min(x[1] * x[1]);
}

#[kernel(family = "torture")]
fn max_leaves_out_a_logarithm(
    #[domain(0.5..1.5)]
    #[shape(2)]
    x: &[f64],
    y: &mut [f64],
) {
    let i = tid();
    y[i] = (x[0] * x[0]).ln().max(x[1] * x[1] - 3.0);
}

#[kernel(family = "torture")]
fn max_leaves_out_nan(
    #[domain(0.5..1.5)]
    #[shape(2)]
    x: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    y[i] = (x[0] * x[0]).max(x[1] * x[1]);
}

#[kernel(family = "torture")]
fn min_of_vectors(
    #[domain(0.5..1.5)]
    #[shape(3)]
    v: &[Vec3],
    y: &mut [f32],
) {
    let i = tid();
    y[i] = (v[0] / (v[1] * v[1])).min(v[2] * v[2]).element_sum();
}

#[kernel(family = "torture")]
fn largest_component(
    #[domain(0.5..1.5)]
    #[shape(3)]
    x: &[f64],
    y: &mut [f64],
) {
    let i = tid();
    let v = DVec3::new((x[0] * x[0]).ln(), x[1] * x[2], -1.0 / (x[0] * x[0]));
    y[i] = v.max_element() * x[2];
}

pub(super) fn cases() -> Vec<Hostile> {
    const INFINITY: f64 = f64::INFINITY;
    const NAN: f64 = f64::NAN;
    vec![
        hostile("nearest_by_branches", "nearest hit from infinity, by a branch").with("x", &[0.0, 1.0, 2.0]),
        hostile("nearest_by_min", "nearest hit from infinity, by `min`, f64").with("x", &[0.0, 1.0, 2.0]),
        hostile("weighted_by_the_nearest", "nearest hit; the infinite start in a product").with("x", &[3.0, 4.0, 2.0]),
        hostile("two_nearest", "the two nearest from infinity").with("x", &[INFINITY, 3.0, 1e20, 2.0]),
        hostile("largest_from_minus_infinity", "largest from -infinity, of logarithms").with("x", &[0.0, 3.0, 2.0]),
        hostile("smallest_from_nan", "smallest from `NAN`").with("x", &[NAN, 3.0, 2.0]),
        hostile("ray_and_sphere", "ray that misses a sphere").with("x", &[1.0, 3.0]),
        hostile("ray_and_box", "ray along an axis and a box").with("ray", &[0.5, 0.25, -1.0, 0.0, 0.0, 2.0]),
        hostile("clamped_ratio", "`clamp` of an infinite ratio").with("x", &[3.0, 0.0]),
        hostile("min_leaves_out_infinity", "`min` leaves out infinity").with("x", &[0.0, 3.0]),
        hostile("max_leaves_out_a_logarithm", "`max` leaves out `ln(0)`, f64").with("x", &[0.0, 3.0]),
        hostile("max_leaves_out_nan", "`max` leaves out NaN").with("x", &[NAN, 3.0]),
        hostile("min_of_vectors", "`min` of vectors leaves out infinite components")
            .with("v", &[2.0, 3.0, 4.0, 0.0, 2.0, 0.0, 1.5, 2.0, 3.0]),
        hostile("largest_component", "`max_element` over `ln(0)` and `-1/0`, f64").with("x", &[0.0, 2.0, 3.0]),
    ]
}
