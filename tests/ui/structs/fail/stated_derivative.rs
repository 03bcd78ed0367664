use kernel_rt::prelude::*;

#[device]
#[derive(Clone, Copy)]
struct Ray {
    from: Vec3,
    to: Vec3,
}

#[device(grad(ray = start_da))]
fn start(ray: Ray) -> f32 {
    ray.from.x
}

#[device]
fn start_da(ray: Ray, adj: f32) -> f32 {
    ray.from.x * adj
}

fn main() {}
