use kernel_rt::prelude::*;

#[device]
fn smoothstep(t: f32) -> f32 {
    t * t * (3.0 - 2.0 * t)
}

#[kernel]
fn broken(n: i32, x: &[f64], out: &mut [f32]) {
    let i = tid();
    out[i] = smoothstep(x[i]) + smoothstep(n);
}

fn main() {}
