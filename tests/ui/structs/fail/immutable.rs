use kernel_rt::prelude::*;

#[device]
#[derive(Clone, Copy)]
struct Ray {
    from: Vec3,
    to: Vec3,
}

#[kernel]
fn broken(x: &[Vec3], y: &mut [f32]) {
    let i = tid();
    let ray = Ray { from: x[i], to: x[0] };
    ray.from.x = 2.0;
    y[i] = ray.from.x;
}

fn main() {}
