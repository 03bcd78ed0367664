use kernel_rt::prelude::*;

#[device]
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Shape {
    Sphere,
    Box,
    Capsule,
}

#[kernel]
fn broken(shapes: &[Shape], y: &mut [f32]) {
    let i = tid();
    y[i] = if shapes[i] < Shape::Box { 1.0 } else { 2.0 };
}

fn main() {}
