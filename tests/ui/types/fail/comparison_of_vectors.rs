use kernel_rt::prelude::*;

#[kernel]
fn broken(v: &[Vec3], out: &mut [f32]) {
    let i = tid();
    if v[i] == v[0] {
        out[i] = 1.0;
    }
}

fn main() {}
