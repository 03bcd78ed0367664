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
    atomic_max(&mut shapes[i], Shape::Box);
}

fn main() {}
