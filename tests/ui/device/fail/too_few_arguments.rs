use kernel_rt::prelude::*;

#[device]
fn mix(a: f32, b: f32, t: f32) -> f32 {
    a + (b - a) * t
}

#[kernel]
fn broken(x: &[f32], out: &mut [f32]) {
    let i = tid();
    out[i] = mix(x[i], 0.5);
}

fn main() {}
