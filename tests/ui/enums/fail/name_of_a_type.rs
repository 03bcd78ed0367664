use kernel_rt::prelude::*;

#[device]
#[derive(Clone, Copy)]
enum Mat3 {
    Wood,
    Stone,
}

fn main() {}
