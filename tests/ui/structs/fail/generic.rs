use kernel_rt::prelude::*;

#[device]
#[derive(Clone, Copy)]
struct Pair<T> {
    a: T,
    b: T,
}

fn main() {}
