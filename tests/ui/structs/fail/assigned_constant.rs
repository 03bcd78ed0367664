use kernel_rt::prelude::*;

#[device]
fn pair(x: f32) -> (f32, f32) {
    (x, x * 2.0)
}

#[kernel]
fn broken(x: &[f32], y: &mut [f32]) {
    let i = tid();
    let (a, mut b) = pair(x[i]);
    (a, b) = (b, a);
    y[i] = a + b;
}

fn main() {}
