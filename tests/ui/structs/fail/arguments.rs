use kernel_rt::prelude::*;

#[device(packed)]
#[derive(Clone, Copy)]
struct Cell {
    value: f32,
}

fn main() {}
