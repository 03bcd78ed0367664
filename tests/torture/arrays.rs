//! Torture: arrays that are written in place or by atomics.

use kernel_rt::prelude::*;

/// Squares where they were.
#[kernel(family = "torture")]
fn square_in_place(#[domain(0.5..1.5)] b: &mut [f64]) {
    let i = tid();
    b[i] = b[i] * b[i];
}

/// An element that every trip updates.
#[kernel(family = "torture")]
fn in_place_in_a_loop(#[domain(2..6)] trips: i32, #[domain(0.2..0.5)] a: &[f64], #[domain(0.5..1.2)] b: &mut [f64]) {
    let i = tid();
    for _ in 0..trips {
        b[i] = 0.5 * b[i] * b[i] + a[i];
    }
}

/// The smallest square of all threads.
#[kernel(family = "torture")]
fn smallest(
    #[domain(0.5..1.5)] x: &[f64],
    #[shape(1)]
    #[domain(3.0..4.0)]
    least: &mut [f64],
) {
    let i = tid();
    atomic_min(&mut least[0], x[i] * x[i]);
}

/// The largest square of all threads.
#[kernel(family = "torture")]
fn largest(#[domain(0.5..1.5)] x: &[f64], #[shape(1)] most: &mut [f64]) {
    let i = tid();
    atomic_max(&mut most[0], x[i] * x[i]);
}

/// An update in place of the elements that a mask selects.
#[kernel(family = "torture")]
fn masked_update(mask: &[bool], #[domain(0.5..1.5)] x: &[f64], #[domain(0.5..1.5)] b: &mut [f64]) {
    let i = tid();
    if mask[i] {
        b[i] = x[i] * b[i] * b[i];
    }
}

/// A loop over the elements that a mask does not leave out.
#[kernel(family = "torture")]
fn masked_loop(hidden: &[bool], #[domain(0.5..1.5)] x: &[f64], y: &mut [f64]) {
    let i = tid();
    let mut s = x[i];
    for j in 0..x.len() {
        if hidden[j] {
            continue;
        }
        s = 0.25 * s * s + 0.1 * x[j];
    }
    y[i] = s;
}

super::torture! {
    /// square in place
    square_in_place;
    /// update in place in a loop
    in_place_in_a_loop;
    /// update of what a mask selects
    masked_update;
    /// loop over what a mask leaves
    masked_loop.over(5);
    /// `atomic_min`
    smallest.over(5);
    /// `atomic_max`
    largest.over(5);
}
