use kernel_rt::prelude::*;

#[device]
#[derive(Clone, Copy)]
struct Ray {
    from: Vec3,
    to: Vec3,
}

#[kernel]
fn right(rays: &[Ray], y: &mut [f32]) {
    let i = tid();
    y[i] = rays[i].from.x;
}

fn main() {}
