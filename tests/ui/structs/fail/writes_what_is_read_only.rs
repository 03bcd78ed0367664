use kernel_rt::prelude::*;

#[device]
#[derive(Clone, Copy)]
struct Body {
    x: Vec3,
    v: Vec3,
}

#[kernel]
fn broken(dt: f32, bodies: &[Body]) {
    let i = tid();
    bodies[i].x += bodies[i].v * dt;
}

fn main() {}
