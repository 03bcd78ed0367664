//! Torture: values that are computed from the result of a loop.

use kernel_rt::prelude::*;

/// The sine of a sum.
#[kernel(family = "torture")]
fn sum_then_sine(#[domain(4..5)] n: i32, #[shape(dim0 * 4)] x: &[f64], y: &mut [f64]) {
    let i = tid();
    let mut sum = 0.0;
    for k in 0..n {
        sum += x[i * 4 + k as usize];
    }
    y[i] = sum.sin();
}

/// The length of a row.
#[kernel(family = "torture")]
fn norm(
    #[domain(4..5)] n: i32,
    #[shape(dim0 * 4)]
    #[domain(0.2..1.0)]
    x: &[f64],
    y: &mut [f64],
) {
    let i = tid();
    let mut sum = 0.0;
    for k in 0..n {
        sum += x[i * 4 + k as usize] * x[i * 4 + k as usize];
    }
    y[i] = sum.sqrt();
}

/// The mean of squares less the square of the mean.
#[kernel(family = "torture")]
fn variance(#[domain(4..5)] n: i32, #[shape(dim0 * 4)] x: &[f64], y: &mut [f64]) {
    let i = tid();
    let mut sum = 0.0;
    let mut squares = 0.0;
    for k in 0..n {
        let value = x[i * 4 + k as usize];
        sum += value;
        squares += value * value;
    }
    let mean = sum / n as f64;
    y[i] = squares / n as f64 - mean * mean;
}

/// The softmax of a row, in three loops.
#[kernel(family = "torture")]
fn softmax(#[domain(4..5)] n: i32, #[shape(dim0 * 4)] x: &[f64], #[shape(dim0, 4)] y: &mut Array2<f64>) {
    let i = tid();
    let mut top = x[i * 4];
    for k in 1..n {
        top = top.max(x[i * 4 + k as usize]);
    }
    let mut sum = 0.0;
    for k in 0..n {
        sum += (x[i * 4 + k as usize] - top).exp();
    }
    for k in 0..n {
        y[[i, k as usize]] = (x[i * 4 + k as usize] - top).exp() / sum;
    }
}

/// The square of the largest element of a row.
#[kernel(family = "torture")]
fn running_max(#[domain(4..5)] n: i32, #[shape(dim0 * 4)] x: &[f64], y: &mut [f64]) {
    let i = tid();
    let mut top = x[i * 4];
    for k in 1..n {
        top = top.max(x[i * 4 + k as usize]);
    }
    y[i] = top * top;
}

super::torture! {
    /// sum, used after the loop
    sum_then_sine;
    /// norm
    norm;
    /// variance
    variance;
    /// softmax
    softmax;
    /// running max
    running_max;
}
