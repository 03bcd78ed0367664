use kernel_rt::prelude::*;

#[device]
#[derive(Clone, Copy, PartialEq)]
enum Shape {
    Sphere,
    Box,
    Capsule,
}

#[kernel(debug)]
fn broken(shapes: &[Shape]) {
    let i = tid();
    kernel_print!("{}", shapes[i]);
}

fn main() {}
