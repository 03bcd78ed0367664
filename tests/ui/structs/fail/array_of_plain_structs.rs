use kernel_rt::prelude::*;

#[derive(Clone, Copy)]
struct Plain {
    x: f32,
}

#[kernel]
fn broken(all: &[Plain], y: &mut [f32]) {
    let i = tid();
    y[i] = all[i].x;
}

fn main() {}
