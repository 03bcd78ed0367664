//! Torture: functions at the edge of their domains, where a branch selects another value.

#![allow(clippy::eq_op, reason = "x / x is a case")]

use super::{Hostile, hostile};
use kernel_rt::prelude::*;

#[kernel(family = "torture")]
fn masked_root(
    #[domain(0.5..0.9)]
    #[shape(2)]
    x: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    let root = x[0].sqrt();
    y[i] = if x[0] > 0.2 { root } else { x[0] * x[1] };
}

#[kernel(family = "torture")]
fn masked_logarithm(
    #[domain(0.5..0.9)]
    #[shape(2)]
    x: &[f64],
    y: &mut [f64],
) {
    let i = tid();
    let logarithm = x[0].ln();
    y[i] = if x[0] > 0.2 { logarithm } else { x[0] * x[1] };
}

/// A power of 0, by the base and by the exponent.
#[kernel(family = "torture")]
fn masked_power(
    #[domain(0.5..0.9)]
    #[shape(2)]
    x: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    let power = x[0].powf(x[1]);
    y[i] = if x[0] > 0.2 { power } else { x[0] * x[1] };
}

#[kernel(family = "torture")]
fn masked_quotient_of_itself(
    #[domain(0.5..0.9)]
    #[shape(2)]
    x: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    let quotient = x[0] / x[0] * x[1];
    y[i] = if x[0] > 0.2 { quotient } else { x[0] * x[1] };
}

#[kernel(family = "torture")]
fn masked_cube_root(
    #[domain(0.5..0.9)]
    #[shape(2)]
    x: &[f64],
    y: &mut [f64],
) {
    let i = tid();
    let root = x[0].cbrt();
    y[i] = if x[0] > 0.2 { root } else { x[0] * x[1] };
}

#[kernel(family = "torture")]
fn masked_arc_sine(
    #[domain(0.3..0.7)]
    #[shape(2)]
    x: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    let angle = (x[0] * x[0]).asin();
    y[i] = if x[0] < 0.8 { angle } else { x[0] * x[1] };
}

#[kernel(family = "torture")]
fn masked_arc_cosine(
    #[domain(0.3..0.7)]
    #[shape(2)]
    x: &[f64],
    y: &mut [f64],
) {
    let i = tid();
    let angle = (-x[0]).acos();
    y[i] = if x[0] < 0.8 { angle } else { x[0] * x[1] };
}

/// sin(x) / x with its series around 0.
#[kernel(family = "torture")]
fn sinc(
    #[domain(0.5..0.9)]
    #[shape(1)]
    x: &[f64],
    y: &mut [f64],
) {
    let i = tid();
    let ratio = x[0].sin() / x[0];
    y[i] = if x[0].abs() > 0.1 { ratio } else { 1.0 - x[0] * x[0] / 6.0 + 0.5 * x[0] };
}

/// (e^x - 1) / x of many threads, one of which is 0, times a by-value factor.
#[kernel(family = "torture")]
fn relative_growth(#[domain(0.5..1.5)] a: f32, #[domain(0.5..0.9)] x: &[f32], y: &mut [f32]) {
    let i = tid();
    let ratio = (a * x[i]).exp_m1() / x[i];
    y[i] = if x[i].abs() > 0.1 { ratio } else { a + x[i] };
}

/// The arc tangent of a quotient, unless its denominator vanishes.
#[kernel(family = "torture")]
fn masked_angle(
    #[domain(0.5..0.9)]
    #[shape(2)]
    x: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    let angle = x[0].atan2(x[1]);
    y[i] = if x[0].abs() + x[1].abs() > 0.2 { angle } else { x[0] + 2.0 * x[1] };
}

/// `exp(-1 / x²)` is smooth, and flat at 0.
#[kernel(family = "torture")]
fn bump(
    #[domain(0.5..0.9)]
    #[shape(2)]
    x: &[f64],
    y: &mut [f64],
) {
    let i = tid();
    y[i] = (-1.0 / (x[0] * x[0])).exp() + x[1] * x[1];
}

/// The square of a hypotenuse that is 0.
#[kernel(family = "torture")]
fn square_of_a_hypotenuse(
    #[domain(0.5..0.9)]
    #[shape(2)]
    x: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    let h = x[0].hypot(x[1]);
    y[i] = h * h + x[0];
}

/// x²·|x| has the derivative 0 at 0.
#[kernel(family = "torture")]
fn size_times_square(
    #[domain(0.5..0.9)]
    #[shape(1)]
    x: &[f64],
    y: &mut [f64],
) {
    let i = tid();
    let square = x[0] * x[0];
    y[i] = square.sqrt() * square;
}

/// The launch whose derivative is infinite.
#[kernel(family = "torture")]
fn roots(#[domain(0.5..0.9)] x: &[f32], middle: &mut [f32]) {
    let i = tid();
    middle[i] = x[i].sqrt();
}

/// The launch that leaves those elements out.
#[kernel(family = "torture")]
fn kept(#[domain(1..2)] mask: &[i32], #[domain(0.5..0.9)] middle: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = if mask[i] == 0 { 1.0 } else { middle[i] * middle[i] * middle[i] };
}

/// The launch whose derivative is infinite, by a parameter of all threads.
#[kernel(family = "torture")]
fn quotients(#[domain(0.5..0.9)] a: f64, #[domain(0.5..0.9)] x: &[f64], middle: &mut [f64]) {
    let i = tid();
    middle[i] = a / (x[i] * x[i]);
}

/// The launch that takes the smaller value.
#[kernel(family = "torture")]
fn bounded(#[domain(0.5..0.9)] bound: f64, #[domain(0.5..0.9)] middle: &[f64], y: &mut [f64]) {
    let i = tid();
    y[i] = middle[i].min(bound * bound);
}

pub(super) fn cases() -> Vec<Hostile> {
    vec![
        hostile("masked_root", "`sqrt(0)` masked").with("x", &[0.0, 3.0]),
        hostile("masked_logarithm", "`ln(0)` masked, f64").with("x", &[0.0, 3.0]),
        hostile("masked_power", "`powf(0, p)` masked").with("x", &[0.0, 0.5]),
        hostile("masked_quotient_of_itself", "`x / x` masked").with("x", &[0.0, 3.0]),
        hostile("masked_cube_root", "`cbrt(0)` masked, f64").with("x", &[0.0, 3.0]),
        hostile("masked_arc_sine", "`asin(1)` masked").with("x", &[1.0, 3.0]),
        hostile("masked_arc_cosine", "`acos(-1)` masked, f64").with("x", &[1.0, 3.0]),
        hostile("sinc", "`sin(x) / x` at 0 with a series, f64").with("x", &[0.0]),
        hostile("relative_growth", "`(e^ax - 1) / x`, by-value factor, one thread at 0")
            .over(3)
            .with("a", &[2.0])
            .with("x", &[0.5, 0.0, -0.25]),
        hostile("masked_angle", "`atan2(0, 0)` masked").with("x", &[0.0, 0.0]),
        hostile("bump", "`exp(-1 / x²)` at 0, f64").with("x", &[0.0, 3.0]),
        hostile("square_of_a_hypotenuse", "square of `hypot(0, 0)`").with("x", &[0.0, 0.0]),
        hostile("size_times_square", "`sqrt(x²) * x²` at 0, f64").with("x", &[0.0]),
        hostile("roots", "tape: `sqrt(0)` of one launch, masked by the next")
            .then("kept")
            .over(3)
            .with("x", &[0.25, 0.0, 4.0])
            .with("mask", &[1.0, 0.0, 1.0]),
        hostile("quotients", "tape: `a / 0` of one launch, under `min` in the next, f64")
            .then("bounded")
            .over(3)
            .with("a", &[2.0])
            .with("x", &[4.0, 0.0, 0.25])
            .with("bound", &[1.5]),
    ]
}
