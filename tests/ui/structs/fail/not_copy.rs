use kernel_rt::prelude::*;

#[device]
struct Ray {
    from: Vec3,
    to: Vec3,
}

#[kernel]
fn lengths(x: &[Vec3], y: &mut [f32]) {
    let i = tid();
    let ray = Ray { from: x[i], to: x[0] };
    y[i] = (ray.to - ray.from).length();
}

fn main() {}
