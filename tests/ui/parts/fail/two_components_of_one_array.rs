use kernel_rt::prelude::*;

#[device]
fn exchange(a: &mut f32, b: &mut f32) {
    let before = *a;
    *a = *b;
    *b = before;
}

#[kernel]
fn broken(y: &mut [Vec3]) {
    let i = tid();
    exchange(&mut y[i].x, &mut y[0].y);
}

fn main() {}
