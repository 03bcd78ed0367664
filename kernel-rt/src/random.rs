//! Random numbers in kernels.
//!
//! The state of a generator is a `u32`, made by [`rand_init`] or [`rand_seed`] and advanced by each draw. The streams are
//! those of NVIDIA Warp, bit for bit, on every device:
//!
//! ```
//! use kernel_rt::prelude::*;
//!
//! let mut rng = rand_init(42, 0);
//! let (a, b) = (randf(&mut rng), randf(&mut rng));
//! assert!(a != b && (0.0..1.0).contains(&a));
//! ```
//!
//! One number is worth 24 to 32 random bits, and a stream repeats after at most 2³² draws: enough for sampling, and not
//! for cryptography.

use std::f32::consts::TAU;

/// The next state: the hash `pcg` of Jarzynski and Olano, "Hash Functions for GPU Rendering" (2020).
#[inline]
fn next(state: u32) -> u32 {
    let sum = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
    let word = ((sum >> ((sum >> 28) + 4)) ^ sum).wrapping_mul(277_803_737);
    (word >> 22) ^ word
}

/// The state of a random generator: a hash of a seed and of an offset. With the index of the thread as the offset,
/// every thread has a stream of its own: `let mut rng = rand_init(seed, i as i32);`.
#[inline]
pub fn rand_init(seed: i32, offset: i32) -> u32 {
    next((seed as u32).wrapping_add(next(offset as u32)))
}

/// The state of a random generator: a hash of a seed.
#[inline]
pub fn rand_seed(seed: i32) -> u32 {
    next(seed as u32)
}

/// A random integer.
#[inline]
pub fn randu(rng: &mut u32) -> u32 {
    *rng = next(*rng);
    *rng
}

/// A random integer in `low..high`.
///
/// # Panics
/// If `low` equals `high`.
#[inline]
pub fn randu_range(rng: &mut u32, low: u32, high: u32) -> u32 {
    (randu(rng) % high.wrapping_sub(low)).wrapping_add(low)
}

/// A random integer.
#[inline]
pub fn randi(rng: &mut u32) -> i32 {
    randu(rng) as i32
}

/// A random integer in `low..high`.
///
/// # Panics
/// If `low` equals `high`.
#[inline]
pub fn randi_range(rng: &mut u32, low: i32, high: i32) -> i32 {
    randu_range(rng, low as u32, high as u32) as i32
}

/// A random number from 0 to below 1, a multiple of 2⁻²⁴.
#[inline]
pub fn randf(rng: &mut u32) -> f32 {
    (randu(rng) >> 8) as f32 * (1.0 / 16_777_216.0)
}

/// A random number between `low` and `high`: their linear interpolation by the number of [`randf`].
#[inline]
pub fn randf_range(rng: &mut u32, low: f32, high: f32) -> f32 {
    (high - low) * randf(rng) + low
}

/// A normally distributed random number: the mean is 0 and the variance 1. It takes two draws.
#[inline]
pub fn randn(rng: &mut u32) -> f32 {
    // The transformation of Box and Muller. The addition keeps the logarithm finite.
    let radius = (-2.0 * (randf(rng) + 5.96e-8).ln()).sqrt();
    radius * (TAU * randf(rng)).cos()
}
