use kernel_rt::prelude::*;

#[kernel]
fn ways_out(x: &[f32], seen: &mut [f32], out: &mut [f32]) {
    let i = tid();
    let a = x[i];
    seen[i] = a;
    if a <= 0.0 {
        return;
    }
    let pair = Vec2::new(a, 1.0);
    let twice = 2.0 * pair.x;
    out[i] = twice + pair.y;
}

fn main() {}
