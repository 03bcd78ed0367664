use kernel_rt::prelude::*;

#[kernel]
fn constants_and_methods(x: &[f32], out: &mut [f32]) {
    const ONCE: f32 = 1.0;
    const LIMIT: f32 = 2.0 * ONCE;
    let i = tid();
    let twice = 2.0 * x[i];
    out[i] = twice.min(LIMIT).sqrt().sin() * std::f32::consts::PI;
}

fn main() {}
