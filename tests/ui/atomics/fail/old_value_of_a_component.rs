use kernel_rt::prelude::*;

#[kernel]
fn queue(size: &[f32], place: &mut [f32], total: &mut [Vec2]) {
    let i = tid();
    let before = atomic_add(&mut total[0].x, size[i]);
    place[i] = before;
}

fn main() {}
