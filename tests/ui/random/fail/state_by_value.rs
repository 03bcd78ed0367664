use kernel_rt::prelude::*;

#[device]
fn side(rng: u32) -> f32 {
    2.0 * randf(rng) - 1.0
}

#[kernel]
fn broken(out: &mut [f32]) {
    let i = tid();
    out[i] = side(rand_init(1, i as i32));
}

fn main() {}
