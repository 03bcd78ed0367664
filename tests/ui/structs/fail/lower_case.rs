use kernel_rt::prelude::*;

#[allow(non_camel_case_types)]
#[device]
#[derive(Clone, Copy)]
struct ray {
    from: Vec3,
}

fn main() {}
