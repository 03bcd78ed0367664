use kernel_rt::prelude::*;

#[device]
#[derive(Clone, Copy)]
#[repr(C, packed)]
struct Packed {
    a: f32,
    b: f64,
}

#[device]
#[derive(Clone, Copy)]
#[repr(align(16))]
struct Aligned {
    a: f32,
}

fn main() {}
