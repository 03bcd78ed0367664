use kernel_rt::prelude::*;

#[device]
fn side(rng: &mut u32) -> f32 {
    2.0 * randf(rng) - 1.0
}

#[device]
fn corner(rng: &mut u32) -> Vec2 {
    let x = side(rng);
    *rng ^= 1;
    Vec2::new(x, side(&mut *rng) + randf_range(&mut *rng, 0.0, 0.5))
}

#[device]
fn first(rng: u32) -> f32 {
    let mut rng = rng;
    randf(&mut rng)
}

#[kernel]
fn kernel(states: &mut [u32], out: &mut [Vec2]) {
    let i = tid();
    let mut rng = rand_init(1, i as i32);
    out[i] = corner(&mut rng);
    out[i].x += side(&mut rng) + first(rng);
    let mut state = states[i];
    out[i].y += randf(&mut state);
    states[i] = state;
    out[i] += corner(&mut states[i]);
}

fn main() {}
