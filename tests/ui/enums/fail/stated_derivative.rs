use kernel_rt::prelude::*;

#[device(grad(x = f))]
#[derive(Clone, Copy)]
enum Shape {
    Sphere,
    Box,
}

fn main() {}
