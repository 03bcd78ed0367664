use kernel_rt::prelude::*;

#[device]
#[derive(Clone, Copy)]
enum Kind {
    Inside,
    Outside,
}

fn main() {}
