use kernel_rt::prelude::*;

#[device]
#[derive(Clone, Copy)]
struct Ray {
    from: Vec3,
    to: Vec3,
}

#[kernel]
fn broken(y: &mut [f32]) {
    let i = tid();
    let Ray { from, to };
    y[i] = from.x;
}

fn main() {}
