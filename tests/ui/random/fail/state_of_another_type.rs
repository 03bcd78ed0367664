use kernel_rt::prelude::*;

#[device]
fn side(rng: &mut i32) -> f32 {
    2.0 * randf(rng) - 1.0
}

#[kernel]
fn broken(out: &mut [f32]) {
    let i = tid();
    let mut rng = i as i32;
    out[i] = side(&mut rng);
}

fn main() {}
