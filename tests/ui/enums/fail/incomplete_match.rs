use kernel_rt::prelude::*;

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
        Shape::Sphere => 1.0,
        Shape::Box => 2.0,
    };
}

fn main() {}
