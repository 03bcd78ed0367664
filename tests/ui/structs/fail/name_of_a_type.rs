use kernel_rt::prelude::*;

#[device]
#[derive(Clone, Copy)]
struct Vec6 {
    top: f32,
}

fn main() {}
