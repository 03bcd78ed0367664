use kernel_rt::prelude::*;

#[device]
#[derive(Clone, Copy)]
union Number {
    float: f32,
    bits: u32,
}

fn main() {}
