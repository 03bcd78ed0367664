//! Torture: loops that diverge, pass through infinity, or sum infinite terms.

use super::{Hostile, hostile};
use kernel_rt::prelude::*;

/// An iteration that may diverge; then its start counts.
#[kernel(family = "torture")]
fn rejected_iteration(
    #[domain(0.1..0.9)]
    #[shape(2)]
    x: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    let mut v = x[0];
    for _k in 0..20 {
        v = v * v - x[1] * v;
    }
    y[i] = if v.abs() < 10.0 { v } else { x[0] * x[1] };
}

/// Newton's method from where the slope is 0.
#[kernel(family = "torture")]
fn rejected_newton(
    #[domain(1.2..1.9)]
    #[shape(2)]
    x: &[f64],
    y: &mut [f64],
) {
    let i = tid();
    let mut v = (x[1] - 1.0).max(0.0);
    for _k in 0..6 {
        v -= (v * v - x[0]) / (2.0 * v);
    }
    y[i] = if v.is_finite() { v } else { x[0] * x[0] };
}

/// Aitken's extrapolation where the steps no longer differ.
#[kernel(family = "torture")]
fn aitken(
    #[domain(1.3..1.5)]
    #[shape(1)]
    x: &[f64],
    y: &mut [f64],
) {
    let i = tid();
    let first = x[0] * x[0];
    let second = first * first;
    let change = second - 2.0 * first + x[0];
    let better = second - (second - first) * (second - first) / change;
    y[i] = if change.abs() > 0.1 { better } else { second };
}

/// A product that is reset when it overflows.
#[kernel(family = "torture")]
fn product_with_resets(
    #[domain(0.5..1.5)]
    #[shape(4)]
    x: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    let mut product = 1.0;
    for k in 0..x.len() {
        product *= x[k];
        if !product.is_finite() {
            product = 1.0;
        }
    }
    y[i] = product;
}

/// Through infinity and back: `1 / s` of a sum that overflows.
#[kernel(family = "torture")]
fn through_infinity(
    #[domain(0.5..1.5)]
    #[shape(3)]
    x: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    let mut s = x[0];
    for k in 1..x.len() {
        let square = s * s;
        s = 1.0 / (1.0 + square * square) + x[k] * x[k];
    }
    y[i] = s;
}

/// Doubles the step until it is too long, then takes the last one that was not.
#[kernel(family = "torture")]
fn last_finite_power(
    #[domain(0.5..0.9)]
    #[shape(1)]
    x: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    let mut s = x[0];
    let mut kept = 0.0;
    for _k in 0..8 {
        if s.is_finite() {
            kept = s;
        }
        s = s * s;
    }
    y[i] = kept;
}

/// A `while` loop whose last trip overflows.
#[kernel(family = "torture")]
fn while_finite(
    #[domain(0.5..0.9)]
    #[shape(2)]
    x: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    let mut s = x[0];
    let mut trips = 0;
    while s.is_finite() && trips < 3 {
        let square = s * s;
        s = square * square;
        trips += 1;
    }
    y[i] = if s.is_finite() { s } else { x[1] * trips as f32 };
}

#[kernel(family = "torture")]
fn leaves_at_infinity(
    #[domain(0.5..0.9)]
    #[shape(2)]
    x: &[f64],
    y: &mut [f64],
) {
    let i = tid();
    let mut s = x[0];
    let mut sum = x[1];
    for _k in 0..10 {
        let square = s * s;
        s = square * square;
        if !s.is_finite() {
            break;
        }
        sum = sum * x[1] + 1.0 / (1.0 + s);
    }
    y[i] = sum;
}

#[kernel(family = "torture")]
fn log_sum_exp(
    #[domain(0.5..1.5)]
    #[shape(3)]
    x: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    let mut top = x[0];
    for k in 1..x.len() {
        top = top.max(x[k]);
    }
    let mut sum = 0.0;
    for k in 0..x.len() {
        sum += (x[k] - top).exp();
    }
    y[i] = top + sum.ln();
}

/// The plain formula where all but one term overflow to a mask.
#[kernel(family = "torture")]
fn masked_log_sum_exp(
    #[domain(1..2)]
    #[shape(3)]
    mask: &[i32],
    #[domain(0.5..1.5)]
    #[shape(3)]
    x: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    let mut sum = 0.0;
    for k in 0..x.len() {
        let term = x[k].exp();
        sum += if mask[k] == 0 { 0.0 } else { term };
    }
    y[i] = sum.ln();
}

/// Attention over three values, of which masked ones have the score -infinity.
#[kernel(family = "torture")]
fn masked_attention(
    #[domain(1..2)]
    #[shape(3)]
    mask: &[i32],
    #[domain(0.5..1.5)]
    #[shape(3)]
    score: &[f32],
    #[domain(0.5..1.5)]
    #[shape(3)]
    value: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    let mut sum = 0.0;
    let mut total = 0.0;
    for k in 0..3 {
        let square = score[k] * score[k];
        let masked = if mask[k] == 0 { f32::NEG_INFINITY } else { square };
        let weight = masked.exp();
        sum += weight;
        total += weight * value[k];
    }
    y[i] = total / sum;
}

/// The entropy of probabilities, some of which are 0.
#[kernel(family = "torture")]
fn entropy(
    #[domain(0.2..0.9)]
    #[shape(4)]
    p: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    let mut sum = 0.0;
    for k in 0..p.len() {
        let term = p[k] * p[k].ln();
        sum -= if p[k] > 0.1 { term } else { 0.0 };
    }
    y[i] = sum;
}

/// The harmonic mean of what is not 0.
#[kernel(family = "torture")]
fn harmonic_mean(
    #[domain(0.5..1.5)]
    #[shape(4)]
    x: &[f64],
    y: &mut [f64],
) {
    let i = tid();
    let mut sum = 0.0;
    for k in 0..x.len() {
        let term = 1.0 / x[k];
        if x[k].abs() > 0.1 {
            sum += term;
        }
    }
    y[i] = 1.0 / sum;
}

pub(super) fn cases() -> Vec<Hostile> {
    vec![
        hostile("rejected_iteration", "iteration that diverges and is rejected").with("x", &[5.0, 1.0]),
        hostile("rejected_newton", "Newton's method from a slope of 0, rejected, f64").with("x", &[3.0, 0.5]),
        hostile("aitken", "Aitken's extrapolation of a fixed point, rejected, f64").with("x", &[1.0]),
        hostile("product_with_resets", "product in a loop, reset when it is infinite")
            .with("x", &[1e30, f64::INFINITY, 2.0, 3.0]),
        hostile("through_infinity", "loop through infinity and back").with("x", &[1e20, 3.0, 2.0]),
        hostile("last_finite_power", "last finite value of a loop").with("x", &[1e6]),
        hostile("while_finite", "`while` that ends at infinity").with("x", &[1e7, 3.0]),
        hostile("leaves_at_infinity", "`break` at infinity, f64").with("x", &[1e40, 2.0]),
        hostile("log_sum_exp", "log-sum-exp with an entry -infinity").with("x", &[1.0, f64::NEG_INFINITY, 2.0]),
        hostile("masked_log_sum_exp", "logarithm of masked exponentials that overflow")
            .with("mask", &[1.0, 0.0, 1.0])
            .with("x", &[1.0, 200.0, 2.0]),
        hostile("masked_attention", "attention with masked scores")
            .with("mask", &[1.0, 0.0, 1.0])
            .with("score", &[1.0, f64::INFINITY, 0.5])
            .with("value", &[2.0, 3.0, 5.0]),
        hostile("entropy", "entropy with probabilities 0").with("p", &[0.5, 0.0, 0.25, 0.0]),
        hostile("harmonic_mean", "harmonic mean of what is not 0, f64").with("x", &[2.0, 0.0, 4.0, 0.0]),
    ]
}
