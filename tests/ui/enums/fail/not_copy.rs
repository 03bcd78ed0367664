use kernel_rt::prelude::*;

#[device]
#[derive(PartialEq)]
enum Shape {
    Sphere,
    Box,
}

fn main() {}
