use kernel_rt::prelude::*;

#[device(warp = "Shape")]
#[derive(Clone, Copy)]
enum Shape {
    Sphere,
    Box,
}

fn main() {}
