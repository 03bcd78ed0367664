use kernel_rt::prelude::*;

#[device]
#[derive(Clone, Copy)]
struct Cell {
    #[cfg(any())]
    gone: f32,
    value: f32,
}

fn main() {}
