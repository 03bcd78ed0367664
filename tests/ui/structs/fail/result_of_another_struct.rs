use kernel_rt::prelude::*;

#[device]
#[derive(Clone, Copy)]
struct Ray {
    from: Vec3,
    to: Vec3,
}

#[device]
#[derive(Clone, Copy)]
struct Line {
    from: Vec3,
    to: Vec3,
}

#[device]
fn line(ray: Ray) -> Line {
    ray
}

fn main() {}
