use kernel_rt::prelude::*;

#[device]
#[derive(Clone, Copy, PartialEq)]
enum Shape {
    Sphere,
    Box,
    Capsule,
}

#[kernel]
fn broken(kinds: &[i32], shapes: &mut [Shape]) {
    let i = tid();
    shapes[i] = kinds[i];
}

fn main() {}
