use kernel_rt::prelude::*;

#[device]
#[derive(Clone, Copy)]
struct Range {
    ends: (f32, f32),
}

fn main() {}
