//! The tape: gradients through sequences of launches, compared with analytic gradients and central differences.

mod doubtful;
mod exact;
mod random;
mod refused;

use crate::device::chosen;
use kernel_rt::prelude::*;

/// y = a·x + y.
#[kernel]
fn saxpy(a: f64, x: &[f64], y: &mut [f64]) {
    let i = tid();
    y[i] += a * x[i];
}

/// out = x·y.
#[kernel]
fn product(x: &[f64], y: &[f64], out: &mut [f64]) {
    let i = tid();
    out[i] = x[i] * y[i];
}

/// x = x², in place.
#[kernel]
fn square(x: &mut [f64]) {
    let i = tid();
    x[i] = x[i] * x[i];
}

/// out = sin(x).
#[kernel]
fn sine(x: &[f64], out: &mut [f64]) {
    let i = tid();
    out[i] = x[i].sin();
}

/// out = ∑ x.
#[kernel]
fn sum(x: &[f64], #[shape(1)] out: &mut [f64]) {
    let i = tid();
    atomic_add(&mut out[0], x[i]);
}

/// out = min(out, x).
#[kernel]
fn least(x: &[f64], #[shape(1)] out: &mut [f64]) {
    let i = tid();
    atomic_min(&mut out[0], x[i]);
}

/// out = max(out, a²), by every thread.
#[kernel]
fn largest(a: f64, #[shape(1)] out: &mut [f64]) {
    let _ = tid();
    atomic_max(&mut out[0], a * a);
}

/// The smallest and the largest x\[at\[i\]\], the latter in an array of two axes.
#[kernel]
fn extremes(
    #[domain(0..dim0)] at: &[u32],
    x: &[f32],
    #[shape(1)] low: &mut [f32],
    #[shape(1, 2)] high: &mut Array2<f32>,
) {
    let i = tid();
    atomic_min(&mut low[0], x[at[i] as usize]);
    atomic_max(&mut high[[0, 1]], x[at[i] as usize]);
}

/// out\[i\] = x\[at\[i\]\]².
#[kernel]
fn gather(#[domain(0..dim0)] at: &[u32], x: &[f64], out: &mut [f64]) {
    let i = tid();
    let value = x[at[i] as usize];
    out[i] = value * value;
}

/// at = at + 1, in place.
#[kernel]
fn advance(at: &mut [u32]) {
    let i = tid();
    at[i] += 1;
}

/// out = x, without an adjoint.
#[kernel(no_grad)]
fn detached(x: &[f64], out: &mut [f64]) {
    let i = tid();
    out[i] = x[i];
}

fn floats(host: &[f64]) -> DeviceArray<f64> {
    chosen().array_from(host).unwrap()
}

fn zeros(len: usize) -> DeviceArray<f64> {
    chosen().zeros(len).unwrap()
}

fn gradient(tape: &Tape, array: &DeviceArray<f64>) -> Vec<f64> {
    tape.gradient(array).unwrap().to_vec().unwrap()
}

/// The gradient of `f` at `x` by central differences.
fn differences(x: &[f64], f: impl Fn(&[f64]) -> f64) -> Vec<f64> {
    let along = |at: usize| {
        let step = 1e-6 * x[at].abs().max(1.0);
        let moved = |by: f64| {
            let mut x = x.to_vec();
            x[at] += by;
            f(&x)
        };
        (moved(step) - moved(-step)) / (2.0 * step)
    };
    (0..x.len()).map(along).collect()
}

#[track_caller]
fn assert_close(found: &[f64], expected: &[f64]) {
    let close = |(found, expected): (&f64, &f64)| (found - expected).abs() <= 1e-7 * expected.abs().max(1.0);
    let all = found.len() == expected.len() && found.iter().zip(expected).all(close);
    assert!(all, "found {found:?}, expected {expected:?}");
}
