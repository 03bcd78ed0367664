use kernel_rt::prelude::*;

#[device]
fn without_bound<T>(x: T) -> T {
    x
}

#[device]
fn other_bound<T: Copy>(x: T) -> T {
    x
}

#[device]
fn two_bounds<T: Float + Copy>(x: T) -> T {
    x
}

#[device]
fn with_lifetime<'a, T: Float>(x: &'a [T]) -> T {
    x[0]
}

#[device]
fn with_where<T: Float>(x: T) -> T
where
    T: Copy,
{
    x
}

#[device]
fn constant_float<const X: char>(x: f32) -> f32 {
    x
}

fn main() {}
