use kernel_rt::prelude::*;

#[device]
#[derive(Clone, Copy)]
#[repr(i8)]
enum Shape {
    Sphere = 127,
    Box,
}

fn main() {}
