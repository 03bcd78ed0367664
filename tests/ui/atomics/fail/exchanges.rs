//! Exchanges and comparisons in wrong ways.

use kernel_rt::prelude::*;

/// Only integers are compared.
#[kernel]
fn compared_floats(x: &mut [f32]) {
    atomic_cas(&mut x[0], 0.0, 1.0);
}

/// A comparison takes three arguments.
#[kernel]
fn without_comparison(x: &mut [i32]) {
    atomic_cas(&mut x[0], 1);
}

/// An exchange takes two.
#[kernel]
fn with_comparison(x: &mut [i32]) {
    atomic_exch(&mut x[0], 0, 1);
}

/// The compared value has the type of the element.
#[kernel]
fn of_another_type(x: &mut [i64], y: &[i32]) {
    let i = tid();
    atomic_cas(&mut x[0], y[i], 1);
}

/// The compared value is in the array itself.
#[kernel]
fn in_the_array(x: &mut [i32]) {
    let i = tid();
    atomic_cas(&mut x[0], x[i], 1);
}

/// A component.
#[kernel]
fn a_component(x: &mut [Vec2]) {
    let i = tid();
    atomic_exch(&mut x[i].x, 1.0);
}

/// A flag.
#[kernel]
fn a_flag(seen: &mut [bool]) {
    let i = tid();
    atomic_exch(&mut seen[i], true);
}

/// Floats that threads exchange have no gradient.
#[kernel]
fn differentiated(x: &[f32], y: &mut [f32]) {
    let i = tid();
    atomic_exch(&mut y[i], x[i]);
}

fn main() {}
