use kernel_rt::prelude::*;

#[derive(Clone, Copy, PartialEq)]
enum Shape {
    Sphere,
    Box,
}

#[kernel]
fn broken(kinds: &[i32], y: &mut [f32]) {
    let i = tid();
    y[i] = if kinds[i] == Shape::Box as i32 { 1.0 } else { 2.0 };
}

fn main() {}
