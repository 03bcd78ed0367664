use kernel_rt::prelude::*;

#[device]
#[derive(Clone, Copy)]
enum Shape {
    Sphere,
    #[cfg(test)]
    Box,
}

fn main() {}
