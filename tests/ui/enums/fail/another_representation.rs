use kernel_rt::prelude::*;

#[device]
#[derive(Clone, Copy)]
#[repr(u64)]
enum Shape {
    Sphere,
    Box,
}

fn main() {}
