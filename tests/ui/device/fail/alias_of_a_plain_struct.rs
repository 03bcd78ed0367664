use kernel_rt::prelude::*;

#[derive(Clone, Copy)]
#[allow(dead_code)]
struct Ray {
    from: Vec3,
}

#[device]
type Line = Ray;

fn main() {}
