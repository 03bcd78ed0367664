use kernel_rt::prelude::*;

#[device]
fn put(y: &mut f32, value: f32) {
    *y = value;
}

#[kernel]
fn broken(y: &mut [Vec3]) {
    let i = tid();
    put(&mut y[i].x, 1.0);
}

fn main() {}
