use kernel_rt::prelude::*;

#[device]
fn pair(x: f32) -> (f32, f32) {
    if x > 0.0 { (x, x) } else { (x, x, x) }
}

#[kernel]
fn broken(x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = pair(x[i]).0;
}

fn main() {}
