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
    y[i] = shapes[i] as f32;
}

fn main() {}
