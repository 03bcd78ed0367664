//! Random numbers through every stage: the CPU and its adjoint against the interpreter and dual numbers, the emitted C++
//! and CUDA, and Warp, whose streams they are.

use kernel_rt::prelude::*;

/// All draws of a generator for each thread, in one sequence.
#[kernel(family = "test")]
pub fn draws(
    #[domain(-100..100)] seed: i32,
    integers: &mut [Vector<i32, 4>],
    words: &mut [Vector<u32, 4>],
    uniform: &mut [Vec4],
) {
    let i = tid();
    let mut rng = rand_init(seed, i as i32);
    let word = randu(&mut rng);
    let any = randi(&mut rng);
    integers[i] =
        Vector::<i32, 4>::new(any, randi_range(&mut rng, -5, 6), randi_range(&mut rng, i32::MIN, i32::MAX), 7);
    words[i] =
        Vector::<u32, 4>::new(word, randu_range(&mut rng, 10, 20), randu_range(&mut rng, 3, 3 + word % 9 + 1), rng);
    uniform[i].x = randf(&mut rng);
    uniform[i].y = randf_range(&mut rng, -2.0, 0.5);
    uniform[i].z = randf(&mut rng) - randf(&mut rng);
    let mut other = rand_seed(seed);
    uniform[i].w = randf(&mut other) + randf(&mut { other });
}

/// A random walk with drift, in a loop and a branch.
#[kernel(family = "test")]
pub fn random_walk(
    #[domain(0..1000)] seed: i32,
    #[domain(0.0..1.0)] drift: &[f32],
    #[domain(0..12)] steps: &[u32],
    #[domain(0.5..2.0)] width: f32,
    ends: &mut [f32],
    turns: &mut [u32],
) {
    let i = tid();
    let mut rng = rand_init(seed, i as i32);
    let mut x = 0.0;
    let mut turned = 0;
    for _ in 0..steps[i] {
        x += randf_range(&mut rng, -width, width + drift[i]) * (1.0 + 0.1 * x);
        if randf(&mut rng) < 0.25 {
            x *= -drift[i];
            turned += randu_range(&mut rng, 1, 3);
        }
    }
    ends[i] = x;
    turns[i] = turned;
}

/// A Monte Carlo integral of normally distributed points, with a state that the caller keeps.
#[kernel(family = "test")]
pub fn normal_samples(states: &mut [u32], #[domain(0.1..2.0)] scale: &[f32], means: &mut [f32]) {
    let i = tid();
    let mut rng = states[i];
    let mut sum = 0.0;
    for _ in 0..20 {
        let x = scale[i] * randn(&mut rng);
        sum += x * x;
    }
    means[i] = sum / 20.0;
    states[i] = rng;
}

/// A point of the disc around the center, at a distance from the radius `inner` on.
#[device]
fn ring(rng: &mut u32, inner: f32) -> Vec2 {
    let r = randf_range(rng, inner * inner, 1.0).sqrt();
    let angle = randf_range(&mut *rng, -std::f32::consts::PI, std::f32::consts::PI);
    Vec2::new(r * angle.cos(), r * angle.sin())
}

/// The first of some points of the ring that is above the line, and the number of draws.
#[device]
fn above(rng: &mut u32, inner: f32) -> (Vec2, i32) {
    let mut draws = randi_range(rng, 1, 3);
    loop {
        let p = ring(rng, inner);
        draws += 2;
        if p.y > 0.0 {
            return (p * (1.0 + 0.1 * randn(rng)), draws);
        }
        *rng ^= 1;
    }
}

/// Device functions that draw from the state of their caller: a variable, and an element of an array.
#[kernel(family = "test")]
pub fn lent_states(
    #[domain(0..1000)] seed: i32,
    #[domain(0.1..0.9)] inner: &[f32],
    states: &mut [u32],
    points: &mut [Vec2],
    draws: &mut [i32],
) {
    let i = tid();
    let mut rng = rand_init(seed, i as i32);
    let (p, n) = above(&mut rng, inner[i]);
    points[i] = p + ring(&mut rng, 0.5) * inner[i] + ring(&mut states[i], inner[i]);
    draws[i] = n + randi_range(&mut rng, 0, 4);
}
