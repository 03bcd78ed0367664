use kernel_rt::prelude::*;

#[kernel(no_grad)]
fn conversions(n: i32, c: bool, x: &[f32], v: &[Vec3], w: Vec2, out: &mut [f32]) {
    let i = tid();
    let mut a = n as f32 * x[i] / 2.0;
    a += v[i].dot(v[i]) + (n as f32).sin();
    a += if c { 1.0 } else { 0.0 };
    if n != 0 && v[i].x == v[0].x {
        a += (w.extend(1.0) + v[i]).z;
    }
    out[(i as u32).wrapping_mul(1) as usize] = a;
}

fn main() {}
