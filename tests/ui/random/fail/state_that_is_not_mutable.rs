use kernel_rt::prelude::*;

#[device]
fn side(rng: &mut u32) -> f32 {
    2.0 * randf(rng) - 1.0
}

#[kernel]
fn broken(out: &mut [f32]) {
    let i = tid();
    let rng = rand_init(1, i as i32);
    out[i] = side(&mut rng);
}

fn main() {}
