use kernel_rt::prelude::*;

#[device]
#[derive(Clone, Copy)]
#[repr(C)]
enum Shape {
    Sphere,
    Box,
}

fn main() {}
