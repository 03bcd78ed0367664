//! Device functions that kernels of several families call.

use kernel_rt::prelude::*;

/// Smooth step from 0 at t = 0 to 1 at t = 1: t²·(3 − 2t).
#[device]
pub fn smoothstep(t: f32) -> f32 {
    t * t * (3.0 - 2.0 * t)
}

/// The smaller of two distances, blended over a width where they are near: min(a, b) − h²·width/4 with
/// h = max(width − |a − b|, 0)/width.
#[device]
pub fn smooth_min(a: f32, b: f32, width: f32) -> f32 {
    let h = (width - (a - b).abs()).max(0.0) / width;
    a.min(b) - 0.25 * width * h * h
}

/// A hash of 32 bits: one congruential step, then a permutation of its bits (PCG).
#[device]
pub fn pcg_hash(key: u32) -> u32 {
    let state = key.wrapping_mul(747796405).wrapping_add(2891336453);
    let word = ((state >> ((state >> 28) + 4)) ^ state).wrapping_mul(277803737);
    (word >> 22) ^ word
}

/// The upper 24 bits of a hash as a number in [0, 1).
#[device]
pub fn to_unit_interval(hash: u32) -> f32 {
    (hash >> 8) as f32 / 16777216.0
}
