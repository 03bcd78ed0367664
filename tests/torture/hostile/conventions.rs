//! Torture: conventions where no derivative exists, and cases in which the conventions of the parts do not give the
//! derivative of the whole.

use super::{Hostile, hostile};
use kernel_rt::prelude::*;

#[kernel(family = "torture")]
fn square_of_a_root(
    #[domain(0.5..1.5)]
    #[shape(1)]
    x: &[f64],
    y: &mut [f64],
) {
    let i = tid();
    let root = x[0].sqrt();
    y[i] = root * root;
}

#[kernel(family = "torture")]
fn parallel_resistors(
    #[domain(0.5..1.5)]
    #[shape(2)]
    x: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    y[i] = 1.0 / (1.0 / x[0] + 1.0 / x[1]);
}

#[kernel(family = "torture")]
fn arc_tangent_of_a_reciprocal(
    #[domain(0.5..1.5)]
    #[shape(1)]
    x: &[f64],
    y: &mut [f64],
) {
    let i = tid();
    y[i] = (1.0 / x[0]).atan();
}

#[kernel(family = "torture")]
fn exponential_of_a_logarithm(
    #[domain(0.5..1.5)]
    #[shape(1)]
    x: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    y[i] = x[0].ln().exp();
}

#[kernel(family = "torture")]
fn cube_of_a_cube_root(
    #[domain(0.5..1.5)]
    #[shape(1)]
    x: &[f64],
    y: &mut [f64],
) {
    let i = tid();
    let root = x[0].cbrt();
    y[i] = root * root * root;
}

#[kernel(family = "torture")]
fn power_of_a_power(
    #[domain(0.5..1.5)]
    #[shape(1)]
    x: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    let root = x[0].powf(0.25);
    y[i] = (root * root) * (root * root);
}

/// x₂ + 1 / (x₁ + 1 / x₀), from the inside.
#[kernel(family = "torture")]
fn continued_fraction(
    #[domain(0.5..1.5)]
    #[shape(3)]
    x: &[f64],
    y: &mut [f64],
) {
    let i = tid();
    let mut s = x[0];
    for k in 1..x.len() {
        s = x[k] + 1.0 / s;
    }
    y[i] = s;
}

#[kernel(family = "torture")]
fn mean_of_equals_by_min_and_max(
    #[domain(0.5..1.5)]
    #[shape(2)]
    x: &[f64],
    y: &mut [f64],
) {
    let i = tid();
    y[i] = x[0].min(x[1]) + x[0].max(x[1]);
}

#[kernel(family = "torture")]
fn identity_by_two_ramps(
    #[domain(0.5..1.5)]
    #[shape(1)]
    x: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    y[i] = x[0].max(0.0) - (-x[0]).max(0.0);
}

/// ln(1 + e^x) in the form that does not overflow.
#[kernel(family = "torture")]
fn stable_softplus(
    #[domain(0.5..1.5)]
    #[shape(1)]
    x: &[f64],
    y: &mut [f64],
) {
    let i = tid();
    y[i] = x[0].max(0.0) + (-x[0].abs()).exp().ln_1p();
}

/// The root of a square under a mask of 0: the derivative of the root is infinite, and its adjoint is 1.
#[kernel(family = "torture")]
fn root_of_a_masked_square(
    #[domain(0.5..1.5)]
    #[shape(2)]
    x: &[f32],
    #[domain(1..2)]
    #[shape(1)]
    mask: &[i32],
    y: &mut [f32],
) {
    let i = tid();
    y[i] = (mask[0] as f32 * x[0] * x[0]).sqrt() + x[1] * x[1];
}

#[kernel(family = "torture")]
fn root_of_a_fourth_power(
    #[domain(0.5..1.5)]
    #[shape(1)]
    x: &[f64],
    y: &mut [f64],
) {
    let i = tid();
    let square = x[0] * x[0];
    y[i] = (square * square).sqrt();
}

/// Each tie or kink alone follows its convention.
const KINKS: &str = "`min`, `max` and `abs` follow a convention each, also where their kinks cancel";

/// A zero is strong as an adjoint, not as a derivative.
const INFINITE: &str = "an infinite adjoint meets a derivative of 0";

pub(super) fn cases() -> Vec<Hostile> {
    vec![
        hostile("square_of_a_root", "`sqrt(x)` squared at 0, f64").with("x", &[0.0]).zero_by_convention("x", &[0]),
        hostile("parallel_resistors", "`1 / (1 / a + 1 / b)` at a = 0")
            .with("x", &[0.0, 3.0])
            .zero_by_convention("x", &[0]),
        hostile("arc_tangent_of_a_reciprocal", "`atan(1 / x)` at 0, f64")
            .with("x", &[0.0])
            .zero_by_convention("x", &[0]),
        hostile("exponential_of_a_logarithm", "`exp(ln(x))` at 0").with("x", &[0.0]).zero_by_convention("x", &[0]),
        hostile("cube_of_a_cube_root", "`cbrt(x)` cubed at 0, f64").with("x", &[0.0]).zero_by_convention("x", &[0]),
        hostile("power_of_a_power", "`powf(x, 1/4)` to the fourth at 0")
            .with("x", &[0.0])
            .zero_by_convention("x", &[0]),
        hostile("continued_fraction", "continued fraction through infinity, f64")
            .with("x", &[0.0, 3.0, 2.0])
            .zero_by_convention("x", &[0]),
        hostile("mean_of_equals_by_min_and_max", "`min(a, b) + max(a, b)` at a = b, f64")
            .with("x", &[2.0, 2.0])
            .limit(KINKS),
        hostile("identity_by_two_ramps", "`max(x, 0) - max(-x, 0)` at 0").with("x", &[0.0]).limit(KINKS),
        hostile("stable_softplus", "`max(x, 0) + ln(1 + exp(-abs(x)))` at 0, f64").with("x", &[0.0]).limit(KINKS),
        hostile("root_of_a_masked_square", "`sqrt(0 * x²)`")
            .with("x", &[2.0, 3.0])
            .with("mask", &[0.0])
            .limit(INFINITE),
        hostile("root_of_a_fourth_power", "`sqrt(x⁴)` at 0, f64").with("x", &[0.0]).limit(INFINITE),
    ]
}
