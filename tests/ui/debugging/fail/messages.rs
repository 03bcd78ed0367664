//! Messages in wrong ways.

use kernel_rt::prelude::*;

/// A vector has no place in a message.
#[kernel(debug)]
fn a_vector(x: &[Vec3]) {
    let i = tid();
    kernel_print!("x = {}", x[i]);
}

/// More places than values.
#[kernel(debug)]
fn too_few(x: &[f32]) {
    let i = tid();
    kernel_print!("x = {}, {}", x[i]);
}

/// More values than places.
#[kernel]
fn too_many(x: &[f32]) {
    let i = tid();
    kernel_print!("x", x[i]);
}

/// A width.
#[kernel(debug)]
fn a_width(x: &[f32]) {
    let i = tid();
    kernel_print!("{:>8}", x[i]);
}

/// A text that is computed.
#[kernel(debug)]
fn a_value(x: &[f32]) {
    let i = tid();
    kernel_print!(x[i]);
}

/// A variable that does not exist.
#[kernel(debug)]
fn unknown(x: &[f32]) {
    let i = tid();
    kernel_print!("{i} {j}");
}

/// A condition that is a number.
#[kernel(debug)]
fn a_number(x: &[f32]) {
    let i = tid();
    kernel_assert!(x[i]);
}

/// The language has another macro.
#[kernel]
fn of_the_standard_library(x: &[f32]) {
    let i = tid();
    println!("{}", x[i]);
}

/// Here, too.
#[kernel]
fn an_assertion(x: &[f32]) {
    let i = tid();
    assert!(x[i] > 0.0);
}

/// Its derivative is that of the author.
#[device(debug, grad(x = square_dx))]
fn square(x: f32) -> f32 {
    kernel_assert!(x > 0.0);
    x * x
}

#[device]
fn square_dx(x: f32, adj: f32) -> f32 {
    2.0 * x * adj
}

/// Twice.
#[kernel(debug, debug)]
fn twice(x: &mut [f32]) {
    x[tid()] = 0.0;
}

fn main() {}
