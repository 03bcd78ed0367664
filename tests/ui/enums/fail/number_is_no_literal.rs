use kernel_rt::prelude::*;

#[device]
#[derive(Clone, Copy)]
enum Shape {
    Sphere = 1 << 1,
    Box,
}

fn main() {}
