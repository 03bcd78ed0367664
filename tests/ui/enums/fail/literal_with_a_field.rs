use kernel_rt::prelude::*;

#[device]
#[derive(Clone, Copy, PartialEq)]
enum Shape {
    Sphere,
    Box,
    Capsule,
}

#[kernel]
fn broken(shapes: &mut [Shape]) {
    let i = tid();
    shapes[i] = Shape { value: 1 };
}

fn main() {}
