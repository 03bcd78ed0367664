use kernel_rt::prelude::*;

#[device]
#[derive(Clone, Copy, PartialEq)]
enum Shape {
    Sphere,
    Box,
    Capsule,
}

#[kernel]
fn broken(kinds: &[i32], y: &mut [f32]) {
    let i = tid();
    y[i] = match kinds[i] {
        Shape::Box => 1.0,
        _ => 2.0,
    };
}

fn main() {}
