//! Torture: products, sums, casts and powers that overflow where nothing depends on them.

use super::{Hostile, hostile};
use kernel_rt::prelude::*;

/// A by-value factor of a product that overflows in other threads.
#[kernel(family = "torture")]
fn factor_of_an_overflow(#[domain(0.5..1.5)] a: f32, #[domain(0.5..1.5)] x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = a * (x[i] * x[i]);
}

#[kernel(family = "torture")]
fn factor_of_an_overflow_f64(#[domain(0.5..1.5)] a: f64, #[domain(0.5..1.5)] x: &[f64], y: &mut [f64]) {
    let i = tid();
    y[i] = a * (x[i] * x[i]);
}

#[kernel(family = "torture")]
fn guarded_product(
    #[domain(0.5..1.5)]
    #[shape(2)]
    x: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    let product = x[0] * x[1];
    y[i] = if x[0] < 1e10 { product } else { 2.0 * x[0] };
}

#[kernel(family = "torture")]
fn guarded_product_f64(
    #[domain(0.5..1.5)]
    #[shape(2)]
    x: &[f64],
    y: &mut [f64],
) {
    let i = tid();
    let product = x[0] * x[0] * x[1];
    y[i] = if x[0] < 1e100 { product } else { x[1] * x[1] };
}

#[kernel(family = "torture")]
fn guarded_quotient(
    #[domain(0.5..1.5)]
    #[shape(2)]
    x: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    let quotient = x[0] / x[1];
    y[i] = if x[1].abs() > 0.25 { quotient } else { x[0] * x[0] };
}

#[kernel(family = "torture")]
fn guarded_dot(
    #[domain(0.5..1.5)]
    #[shape(2)]
    x: &[Vec3],
    y: &mut [f32],
) {
    let i = tid();
    let dot = x[0].dot(x[1]);
    y[i] = if dot < 1e30 { dot } else { x[0].y * x[1].z };
}

/// A cast to `f32`, out of its range.
#[kernel(family = "torture")]
fn guarded_cast(
    #[domain(0.5..1.5)]
    #[shape(2)]
    x: &[f64],
    y: &mut [f32],
) {
    let i = tid();
    let narrow = (x[0] * x[0]) as f32;
    let square = narrow * narrow;
    y[i] = if x[0] < 1e10 { square } else { (x[1] * x[1]) as f32 };
}

#[kernel(family = "torture")]
fn guarded_sum(
    #[domain(0.5..1.5)]
    #[shape(4)]
    x: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    let mut sum = 0.0;
    for k in 0..x.len() {
        sum += x[k];
    }
    let mean = sum * sum;
    y[i] = if sum < 1e30 { mean } else { x[0] * x[1] };
}

/// An infinite length under `min`.
#[kernel(family = "torture")]
fn bounded_length(
    #[domain(0.5..1.5)]
    #[shape(1)]
    v: &[Vec3],
    y: &mut [f32],
) {
    let i = tid();
    y[i] = v[0].length().min(5.0 * v[0].y * v[0].z);
}

#[kernel(family = "torture")]
fn guarded_exponential(
    #[domain(0.5..1.5)]
    #[shape(1)]
    x: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    let exponential = x[0].exp();
    y[i] = if x[0] < 50.0 { exponential } else { 2.0 * x[0] };
}

#[kernel(family = "torture")]
fn bounded_power(
    #[domain(0.5..1.5)]
    #[shape(2)]
    x: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    y[i] = (x[0] * x[0]).powi(4).min(x[1] * x[1] + 9.0);
}

/// Horner's scheme, used where its value is finite.
#[kernel(family = "torture")]
fn guarded_polynomial(
    #[domain(0.5..1.5)]
    #[shape(2)]
    x: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    let mut s = x[1];
    for _k in 0..8 {
        s = s * x[0] + x[1];
    }
    y[i] = if s.is_finite() { s } else { x[0] * x[1] };
}

#[kernel(family = "torture")]
fn returns_before_the_overflow(
    #[domain(0.5..1.5)]
    #[shape(1)]
    x: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    if x[0] > 1e10 {
        y[i] = 0.5 * x[0];
        return;
    }
    y[i] = x[0] * x[0] * x[0];
}

/// Squares until the value is large, which a trip more would make infinite.
#[kernel(family = "torture")]
fn returns_from_the_loop(
    #[domain(0.5..0.9)]
    #[shape(1)]
    x: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    let mut s = x[0];
    for _k in 0..6 {
        if s > 1e20 {
            y[i] = 1e-20 * s;
            return;
        }
        s = s * s;
    }
    y[i] = s;
}

/// The sigmoid by its formula, far to the left.
#[kernel(family = "torture")]
fn sigmoid(
    #[domain(0.5..1.5)]
    #[shape(1)]
    x: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    y[i] = 1.0 / (1.0 + (-x[0]).exp());
}

#[kernel(family = "torture")]
fn guarded_softplus(
    #[domain(0.5..1.5)]
    #[shape(1)]
    x: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    let formula = (1.0 + x[0].exp()).ln();
    y[i] = if x[0] < 20.0 { formula } else { x[0] };
}

/// The weight of an outlier, whose square overflows.
#[kernel(family = "torture")]
fn robust_weight(
    #[domain(0.5..1.5)]
    #[shape(2)]
    x: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    let r = x[0] * x[0];
    y[i] = x[1] / (1.0 + r * r) + x[1] * x[1];
}

#[kernel(family = "torture")]
fn gaussian_of_an_outlier(
    #[domain(0.5..1.5)]
    #[shape(2)]
    x: &[f64],
    y: &mut [f64],
) {
    let i = tid();
    let r = x[0] * x[0];
    y[i] = (-(r * r)).exp() * x[1] + x[1] * x[1];
}

/// A derivative that is made of integers and constants.
#[kernel(family = "torture")]
fn integer_times_a_large_constant(#[domain(1..3)] n: &[i32], #[domain(0.5..1.5)] a: f32, y: &mut [f32]) {
    let i = tid();
    y[i] = a * (n[i] as f32 * 1e37);
}

#[kernel(family = "torture")]
fn infinity_as_a_factor(
    #[domain(0.5..1.5)]
    #[shape(2)]
    x: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    let product = x[0] * f32::INFINITY;
    y[i] = if x[1] > 0.25 { x[0] * x[1] } else { product };
}

/// A quaternion's product with one that is too large, used where it is not.
#[kernel(family = "torture")]
fn guarded_rotation(
    #[domain(0.5..1.5)]
    #[shape(1)]
    q: &[Quat],
    #[domain(0.5..1.5)]
    #[shape(1)]
    v: &[Vec3],
    y: &mut [f32],
) {
    let i = tid();
    let product = q[0] * q[0];
    let inner = product.dot(q[0]);
    y[i] = if q[0].x < 1e10 { inner } else { v[0].dot(v[0]) };
}

#[kernel(family = "torture")]
fn guarded_determinant(
    #[domain(0.5..1.5)]
    #[shape(3)]
    c: &[DVec3],
    y: &mut [f64],
) {
    let i = tid();
    let determinant = DMat3::from_cols(c[0], c[1], c[2]).determinant();
    y[i] = if c[0].x < 1e100 { determinant } else { c[1].y * c[2].z };
}

pub(super) fn cases() -> Vec<Hostile> {
    const INFINITY: f64 = f64::INFINITY;
    const NAN: f64 = f64::NAN;
    let (huge, vast) = (1e20, 1e160);
    vec![
        hostile("factor_of_an_overflow", "by-value factor; `x * x` overflows in other threads")
            .over(4)
            .with("a", &[2.0])
            .with("x", &[3.0, huge, NAN, INFINITY])
            .weighing("y", &[1.0, 0.0, 0.0, 0.0]),
        hostile("factor_of_an_overflow_f64", "the same in f64")
            .over(3)
            .with("a", &[2.0])
            .with("x", &[vast, 3.0, -vast])
            .weighing("y", &[0.0, 1.0, 0.0]),
        hostile("guarded_product", "product, used where it is finite").with("x", &[huge, INFINITY]),
        hostile("guarded_product_f64", "the same in f64, the other input counts").with("x", &[vast, 3.0]),
        hostile("guarded_quotient", "division by 0 behind a guard").with("x", &[3.0, 0.0]),
        hostile("guarded_dot", "`dot` behind a guard").with("x", &[huge, 2.0, 3.0, INFINITY, 5.0, 7.0]),
        hostile("guarded_cast", "cast to f32 behind a guard").with("x", &[1e30, 3.0]),
        hostile("guarded_sum", "sum of a loop behind a guard").with("x", &[2.0, 3.0, 3e38, 3e38]),
        hostile("bounded_length", "`min` leaves out an infinite length").with("v", &[INFINITY, 2.0, 3.0]),
        hostile("guarded_exponential", "`exp` behind a guard").with("x", &[200.0]),
        hostile("bounded_power", "`min` leaves out a power that overflows").with("x", &[huge, 3.0]),
        hostile("guarded_polynomial", "Horner's scheme, used where it is finite").with("x", &[1e10, 3.0]),
        hostile("returns_before_the_overflow", "early return before an overflow").with("x", &[huge]),
        hostile("returns_from_the_loop", "return from a loop before an overflow").with("x", &[1e6]),
        hostile("sigmoid", "sigmoid, far to the left").with("x", &[-100.0]),
        hostile("guarded_softplus", "softplus with a guard").with("x", &[200.0]),
        hostile("robust_weight", "weight of an outlier, `1 / (1 + r * r)`").with("x", &[huge, 3.0]),
        hostile("gaussian_of_an_outlier", "`exp` of an infinite square, f64").with("x", &[vast, 3.0]),
        hostile("integer_times_a_large_constant", "integer times a large constant, by-value factor")
            .over(4)
            .with("n", &[1.0, 100.0, 3.0, 200.0])
            .with("a", &[0.5])
            .weighing("y", &[1.0, 0.0, 1.0, 0.0]),
        hostile("infinity_as_a_factor", "`INFINITY` as a factor").with("x", &[2.0, 3.0]),
        hostile("guarded_rotation", "product of quaternions behind a guard")
            .with("q", &[huge, 2.0, 3.0, huge])
            .with("v", &[2.0, 3.0, 5.0]),
        hostile("guarded_determinant", "determinant behind a guard, f64")
            .with("c", &[vast, 2.0, 3.0, 5.0, 7.0, vast, 1.0, vast, 2.0]),
    ]
}
