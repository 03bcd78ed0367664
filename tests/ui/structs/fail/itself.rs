use kernel_rt::prelude::*;

#[device]
#[derive(Clone, Copy)]
struct Node {
    value: f32,
    next: Node,
}

fn main() {}
