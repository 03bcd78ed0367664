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
    if ray == ray {
        y[i] = 1.0;
    }
}

fn main() {}
