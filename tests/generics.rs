//! Generic device functions and kernels.

use kernel_rt::prelude::*;

/// a + (b - a)·t
#[device]
fn mix<T: Float>(a: T, b: T, t: T) -> T {
    a + (b - a) * t.clamp(T::ZERO, T::lit(1.0))
}

/// The sum of the squares of the components.
#[device]
fn energy<T: Float, const N: usize>(v: Vector<T, N>) -> T {
    let mut sum = T::ZERO;
    for k in 0..N {
        sum += v[k] * v[k];
    }
    T::lit(0.5) * sum
}

/// The largest element of a window.
#[device]
fn largest<T: Number>(x: &[T], from: usize, to: usize) -> T {
    let mut most = x[from];
    for k in from + 1..to {
        most = most.max(x[k]);
    }
    most
}

/// One of two values.
#[device]
fn pick<T: Value>(first: bool, a: T, b: T) -> T {
    if first { a } else { b }
}

/// Interpolates between two tables of numbers, in both precisions.
#[kernel(family = "arithmetic", instances(f32, f64))]
pub fn blend_tables<T: Float>(
    #[domain(-2.0..2.0)] a: &[T],
    #[domain(-2.0..2.0)] b: &[T],
    #[domain(0.1..0.9)] t: T,
    out: &mut [T],
) {
    let i = tid();
    out[i] = mix(a[i], b[i], t) * T::lit(0.1);
}

/// The energies of states of one size, with one function for both.
#[kernel(family = "vector", instances((f32, 3), (f64, 3), (f32, 6)))]
pub fn state_energies<T: Float, const N: usize>(
    #[domain(-2.0..2.0)] states: &[Vector<T, N>],
    #[domain(-2.0..2.0)] weights: &[T],
    out: &mut [T],
) {
    let i = tid();
    let scale = pick(i % 2 == 0, T::ONE, T::cast(N));
    out[i] = weights[i] * energy(states[i]) / scale;
}

/// The largest number of each window, and whether it is in the first half.
#[kernel(family = "nested_loop", instances((f32, 4), (i32, 4), (u64, 8)))]
pub fn window_peaks<T: Number, const WIDTH: usize>(
    x: &[T],
    peaks: &mut [T],
) {
    let i = tid();
    let start = i / WIDTH * WIDTH;
    let end = (start + WIDTH).min(x.len());
    peaks[i] = largest(x, start, end);
}
