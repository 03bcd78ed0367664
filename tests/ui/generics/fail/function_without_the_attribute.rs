use kernel_rt::prelude::*;

#[device]
fn twice(f: impl Fn(f32) -> f32, x: f32) -> f32 {
    f(f(x))
}

fn plain(x: f32) -> f32 {
    x
}

#[kernel]
fn broken(x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = twice(plain, x[i]);
}

fn main() {}
