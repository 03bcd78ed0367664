use kernel_rt::prelude::*;

#[device]
#[derive(Clone, Copy)]
enum Kind<const N: usize> {
    Inside,
    Outside,
}

fn main() {}
