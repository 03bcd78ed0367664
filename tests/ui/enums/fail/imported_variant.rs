use kernel_rt::prelude::*;

use Shape::*;

#[device]
#[derive(Clone, Copy, PartialEq)]
enum Shape {
    Sphere,
    Box,
    Capsule,
}

#[kernel]
fn broken(shapes: &[Shape], y: &mut [f32]) {
    let i = tid();
    y[i] = match shapes[i] {
        Sphere => 1.0,
        _ => 2.0,
    };
}

fn main() {}
