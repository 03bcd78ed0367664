//! Random numbers from integer arithmetic: hashes and generators seeded by the thread index, and algorithms that use
//! them. The same seed gives the same numbers on every device.

use crate::functions::{pcg_hash, smoothstep, to_unit_interval};
use kernel_rt::prelude::*;

/// Uniform numbers in [0, 1) by the PCG hash of seed and index: one congruential step, then a permutation of its bits.
#[kernel(family = "random_math")]
pub fn pcg_uniform(#[domain(0..1000000)] seed: u32, uniform: &mut [f32]) {
    let i = tid();
    let state = (i as u32).wrapping_add(seed).wrapping_mul(747796405).wrapping_add(2891336453);
    let word = ((state >> ((state >> 28) + 4)) ^ state).wrapping_mul(277803737);
    let hash = (word >> 22) ^ word;
    uniform[i] = (hash >> 8) as f32 / 16777216.0;
}

/// Several steps of Marsaglia's 32-bit xorshift on the caller's states, which are not zero.
#[kernel(family = "random_math")]
pub fn xorshift32(#[domain(1..20)] steps: u32, #[domain(1..4294967295)] states: &mut [u32]) {
    let i = tid();
    let mut x = states[i];
    for _ in 0..steps {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
    }
    states[i] = x;
}

/// Uniform doubles in [0, 1) by SplitMix64 of seed and index, from the upper 53 bits.
#[kernel(family = "random_math")]
pub fn splitmix_uniform(#[domain(0..1000000000000)] seed: u64, uniform: &mut [f64]) {
    let i = tid();
    let mut z = (i as u64).wrapping_add(1).wrapping_mul(0x9e3779b97f4a7c15).wrapping_add(seed);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb);
    z ^= z >> 31;
    uniform[i] = (z >> 11) as f64 / 9007199254740992.0;
}

/// Mean of some draws of the "Numerical Recipes" congruential generator, s' = 1664525·s + 1013904223 mod 2³², as
/// uniform numbers in [0, 1).
#[kernel(family = "random_math")]
pub fn lcg_mean(#[domain(1..64)] draws: u32, #[domain(0..4294967295)] seeds: &[u32], mean: &mut [f32]) {
    let i = tid();
    let mut state = seeds[i];
    let mut sum = 0.0;
    for _ in 0..draws {
        state = state.wrapping_mul(1664525).wrapping_add(1013904223);
        sum += (state >> 8) as f32 / 16777216.0;
    }
    mean[i] = sum / draws as f32;
}

/// Gaussian noise added to a signal: two hashes of seed and index, made normal by the Box-Muller transform.
#[kernel(family = "random_math")]
pub fn add_gaussian_noise(
    #[domain(0..1000000)] seed: u32,
    #[domain(0.0..0.5)] sigma: f32,
    #[domain(-1.0..1.0)] signal: &mut [f32],
) {
    let i = tid();
    let mut first = (i as u32).wrapping_mul(2).wrapping_add(seed).wrapping_mul(0x9e3779b1);
    first = (first ^ (first >> 15)).wrapping_mul(0x85ebca77);
    first ^= first >> 13;
    let mut second = first.wrapping_add(0x6d2b79f5).wrapping_mul(0xc2b2ae3d);
    second = (second ^ (second >> 16)).wrapping_mul(0x27d4eb2f);
    second ^= second >> 15;
    // The first uniform number lies above 0, so that its logarithm is finite.
    let radial = ((first >> 8) + 1) as f32 / 16777216.0;
    let angle = std::f32::consts::TAU * ((second >> 8) as f32 / 16777216.0);
    signal[i] += sigma * (-2.0 * radial.ln()).sqrt() * angle.cos();
}

/// Monte-Carlo estimate of π by each thread: 4 times the share of random points that fall into the quarter disc.
#[kernel(family = "random_math")]
pub fn monte_carlo_pi(#[domain(0..1000000)] seed: u64, #[domain(1..200)] samples: u32, estimate: &mut [f32]) {
    let i = tid();
    let mut state = (i as u64).wrapping_add(seed).wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    let mut hits = 0;
    for _ in 0..samples {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let x = (state >> 40) as f32 / 16777216.0;
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let y = (state >> 40) as f32 / 16777216.0;
        if x * x + y * y < 1.0 {
            hits += 1;
        }
    }
    estimate[i] = 4.0 * hits as f32 / samples as f32;
}

/// Value noise on a line: random values at whole numbers, joined by the smooth step 3t² − 2t³.
#[kernel(family = "random_math")]
pub fn value_noise_1d(#[domain(0..1000000)] seed: u32, #[domain(-50.0..50.0)] x: &[f32], noise: &mut [f32]) {
    let i = tid();
    let cell = x[i].floor();
    let t = x[i] - cell;
    let lattice = cell as i32 as u32;
    let mut left = lattice.wrapping_add(seed).wrapping_mul(0x27d4eb2d);
    left = (left ^ (left >> 15)).wrapping_mul(0x85ebca6b);
    let mut right = lattice.wrapping_add(1).wrapping_add(seed).wrapping_mul(0x27d4eb2d);
    right = (right ^ (right >> 15)).wrapping_mul(0x85ebca6b);
    let low = (left >> 8) as f32 / 16777216.0;
    let high = (right >> 8) as f32 / 16777216.0;
    let smooth = t * t * (3.0 - 2.0 * t);
    noise[i] = low + smooth * (high - low);
}

/// Value noise on an image of 2-D points `frequency` lattice cells apart: the random values at the four corners of
/// the cell around a point, weighted bilinearly.
#[kernel(family = "random_math")]
pub fn value_noise_2d(#[domain(0..1000000)] seed: u32, #[domain(0.05..0.9)] frequency: f32, noise: &mut Array2<f32>) {
    let (row, column) = tid2();
    let point = Vec2::new(column as f32, row as f32) * frequency;
    let cell = Vec2::new(point.x.floor(), point.y.floor());
    let t = point - cell;
    let mut value = 0.0;
    for corner in 0..4u32 {
        let right = corner & 1;
        let below = corner >> 1;
        let x = (cell.x as u32).wrapping_add(right);
        let y = (cell.y as u32).wrapping_add(below);
        let mut hash = seed ^ x.wrapping_mul(0x8da6b343) ^ y.wrapping_mul(0xd8163841);
        hash = (hash ^ (hash >> 13)).wrapping_mul(0x5bd1e995);
        hash ^= hash >> 15;
        let weight_x = if right == 1 { t.x } else { 1.0 - t.x };
        let weight_y = if below == 1 { t.y } else { 1.0 - t.y };
        value += weight_x * weight_y * ((hash >> 8) as f32 / 16777216.0);
    }
    noise[[row, column]] = value;
}

/// Random dithering of a grey image to black and white: a pixel becomes 1 where it lies above its own hash.
#[kernel(family = "random_math")]
pub fn random_dither(
    #[domain(0..1000000)] seed: u32,
    #[domain(0.0..1.0)] grey: &Array2<f32>,
    dithered: &mut Array2<i32>,
) {
    let (row, column) = tid2();
    let mut hash = seed.wrapping_add((row as u32).wrapping_mul(0x1f123bb5)).wrapping_add(column as u32);
    hash = (hash ^ (hash >> 16)).wrapping_mul(0x7feb352d);
    hash = (hash ^ (hash >> 15)).wrapping_mul(0x846ca68b);
    hash ^= hash >> 16;
    let threshold = (hash >> 8) as f32 / 16777216.0;
    dithered[[row, column]] = if grey[[row, column]] > threshold { 1 } else { 0 };
}

/// End of a random walk on the square grid, each thread its own: two bits of an xorshift state choose every step.
#[kernel(family = "random_math")]
pub fn random_walk(#[domain(0..100)] steps: u32, #[domain(1..4294967295)] seeds: &[u32], end: &mut [IVec2]) {
    let walker = tid();
    let mut state = seeds[walker];
    let mut position = IVec2::ZERO;
    for _ in 0..steps {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        let forward = if state & 0x100 == 0 { 1 } else { -1 };
        if state & 0x200 == 0 {
            position.x += forward;
        } else {
            position.y += forward;
        }
    }
    end[walker] = position;
}

/// Van der Corput's sequence in base 2: the bits of the index mirrored at the binary point.
#[kernel(family = "random_math")]
pub fn van_der_corput(#[domain(0..1000000)] start: u32, points: &mut [f64]) {
    let i = tid();
    let mut bits = (i as u32).wrapping_add(start);
    bits = bits.rotate_left(16);
    bits = ((bits & 0x00ff00ff) << 8) | ((bits & 0xff00ff00) >> 8);
    bits = ((bits & 0x0f0f0f0f) << 4) | ((bits & 0xf0f0f0f0) >> 4);
    bits = ((bits & 0x33333333) << 2) | ((bits & 0xcccccccc) >> 2);
    bits = ((bits & 0x55555555) << 1) | ((bits & 0xaaaaaaaa) >> 1);
    points[i] = bits as f64 / 4294967296.0;
}

/// Halton points in the unit square: the digits of the index in bases 2 and 3 mirrored at the point.
#[kernel(family = "random_math")]
pub fn halton_points(#[domain(1..100000)] start: u32, points: &mut [Vec2]) {
    let i = tid();
    let mut halves = (i as u32).wrapping_add(start);
    let mut thirds = halves;
    let mut point = Vec2::ZERO;
    let mut scale = Vec2::ONE;
    while halves > 0 {
        scale = Vec2::new(scale.x / 2.0, scale.y / 3.0);
        point += scale * Vec2::new((halves % 2) as f32, (thirds % 3) as f32);
        halves /= 2;
        thirds /= 3;
    }
    points[i] = point;
}

/// Waiting times of a Poisson process in seconds, −ln(u)/rate, with u in (0, 1] from 64-bit xorshift-multiply; rate in
/// events per second.
#[kernel(family = "random_math")]
pub fn exponential_waiting_time(
    #[domain(0.1..10.0)] rate: f64,
    #[domain(1..9000000000000000000)] seeds: &[u64],
    waiting: &mut [f64],
) {
    let i = tid();
    let mut x = seeds[i];
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    let bits = x.wrapping_mul(0x2545f4914f6cdd1d) >> 11;
    let uniform = (bits + 1) as f64 / 9007199254740992.0;
    waiting[i] = -uniform.ln() / rate;
}

/// Dropout of activations (samples × channels × positions): each is zeroed with a probability, the rest is scaled up
/// to keep the mean.
#[kernel(family = "random_math")]
pub fn dropout(
    #[domain(0..1000000)] seed: u32,
    #[domain(0.0..0.9)] probability: f32,
    #[domain(-2.0..2.0)] activations: &mut Array3<f32>,
) {
    let (n, c, x) = tid3();
    let mut hash = seed;
    hash = (hash ^ n as u32).wrapping_mul(0x01000193);
    hash = (hash ^ c as u32).wrapping_mul(0x01000193);
    hash = (hash ^ x as u32).wrapping_mul(0x01000193);
    hash = (hash ^ (hash >> 16)).wrapping_mul(0x45d9f3b);
    hash ^= hash >> 16;
    let uniform = (hash >> 8) as f32 / 16777216.0;
    if uniform < probability {
        activations[[n, c, x]] = 0.0;
    } else {
        activations[[n, c, x]] /= 1.0 - probability;
    }
}

/// Uniform directions on the unit sphere: a random height z, and a random longitude about the z axis.
#[kernel(family = "random_math")]
pub fn random_directions(#[domain(0..1000000)] seed: u64, directions: &mut [Vec3]) {
    let i = tid();
    let mut bits = (i as u64).wrapping_add(seed).wrapping_mul(0x9e3779b97f4a7c15);
    bits = (bits ^ (bits >> 32)).wrapping_mul(0xd6e8feb86659fd93);
    bits ^= bits >> 32;
    let height = 2.0 * ((bits >> 40) as f32 / 16777216.0) - 1.0;
    let longitude = std::f32::consts::TAU * ((bits & 0xffffff) as f32 / 16777216.0);
    let radius = (1.0 - height * height).max(0.0).sqrt();
    directions[i] = Vec3::new(radius * longitude.cos(), radius * longitude.sin(), height);
}

/// Uniform random rotations by Shoemake's method, from three uniform numbers of one congruential generator.
#[kernel(family = "random_math")]
pub fn random_rotations(#[domain(0..4294967295)] seeds: &[u32], rotations: &mut [Quat]) {
    let i = tid();
    let mut state = seeds[i].wrapping_mul(747796405).wrapping_add(1);
    let mut uniform = Vec3::ZERO;
    for k in 0..3 {
        state = state.wrapping_mul(1664525).wrapping_add(1013904223);
        uniform[k] = (state >> 8) as f32 / 16777216.0;
    }
    let low = (1.0 - uniform.x).sqrt();
    let high = uniform.x.sqrt();
    let alpha = std::f32::consts::TAU * uniform.y;
    let beta = std::f32::consts::TAU * uniform.z;
    rotations[i] = Quat::from_xyzw(low * alpha.sin(), low * alpha.cos(), high * beta.sin(), high * beta.cos());
}

/// One point in each cell of a grid of square cells, shaken by up to half of the jitter in x and y.
#[kernel(family = "random_math")]
pub fn jittered_grid(#[domain(0..1000000)] seed: u32, #[domain(0.0..1.0)] jitter: f32, samples: &mut Array2<Vec2>) {
    let (row, column) = tid2();
    let mut hash = seed ^ (row as u32).wrapping_mul(73856093) ^ (column as u32).wrapping_mul(19349663);
    hash = (hash ^ 61) ^ (hash >> 16);
    hash = hash.wrapping_mul(9);
    hash = (hash ^ (hash >> 4)).wrapping_mul(0x27d4eb2d);
    hash ^= hash >> 15;
    let shake = Vec2::new((hash >> 16) as f32, (hash & 0xffff) as f32) / 65536.0 - Vec2::splat(0.5);
    let center = Vec2::new(column as f32 + 0.5, row as f32 + 0.5);
    samples[[row, column]] = center + shake * jitter;
}

/// Salt and pepper noise on 8-bit pixels: out of 256 hashes, `density` turn a pixel black and as many white.
#[kernel(family = "random_math")]
pub fn salt_and_pepper(
    #[domain(0..1000000)] seed: u32,
    #[domain(0..64)] density: u32,
    #[domain(0..256)] pixels: &mut [u32],
) {
    let i = tid();
    let mut hash = (i as u32).wrapping_add(seed.wrapping_mul(0x9e3779b9));
    hash = (hash ^ (hash >> 16)).wrapping_mul(0x21f0aaad);
    hash = (hash ^ (hash >> 15)).wrapping_mul(0x735a2d97);
    let level = hash >> 24;
    if level < density {
        pixels[i] = 0;
    } else if level >= 256 - density {
        pixels[i] = 255;
    }
}

/// Roberts' R2 sequence of evenly spread points in the unit square, by the powers of 1/1.3247…, the plastic number.
#[kernel(family = "random_math")]
pub fn r2_sequence(#[domain(0.0..1.0)] offset: f64, points: &mut [DVec2]) {
    const PLASTIC: f64 = 1.324717957244746;
    let i = tid();
    let n = (i + 1) as f64;
    let x = (offset + n / PLASTIC).fract();
    let y = (offset + n / (PLASTIC * PLASTIC)).fract();
    points[i] = DVec2::new(x, y);
}

/// The value at a point of a grid, from its hash.
#[device]
fn lattice_value(column: i32, row: i32, seed: u32) -> f32 {
    to_unit_interval(pcg_hash(pcg_hash(column as u32 ^ seed) ^ row as u32))
}

/// Smooth noise between the values of a grid of width 1.
#[device]
fn lattice_noise(point: Vec2, seed: u32) -> f32 {
    let column = point.x.floor() as i32;
    let row = point.y.floor() as i32;
    let right = smoothstep(point.x - point.x.floor());
    let up = smoothstep(point.y - point.y.floor());
    let below = lattice_value(column, row, seed) * (1.0 - right) + lattice_value(column + 1, row, seed) * right;
    let above = lattice_value(column, row + 1, seed) * (1.0 - right) + lattice_value(column + 1, row + 1, seed) * right;
    below * (1.0 - up) + above * up
}

/// Fractal noise: octaves of smooth noise, each twice as fine and half as strong as the one before.
#[kernel(family = "random_math")]
pub fn fractal_noise(
    #[domain(1..6)] octaves: i32,
    #[domain(0..4294967295)] seed: u32,
    #[domain(-8.0..8.0)] points: &[Vec2],
    noise: &mut [f32],
) {
    let i = tid();
    let mut point = points[i];
    let mut strength = 0.5;
    let mut sum = 0.0;
    for octave in 0..octaves {
        sum += strength * lattice_noise(point, seed.wrapping_add(octave as u32));
        point *= 2.0;
        strength *= 0.5;
    }
    noise[i] = sum;
}

/// The first place in a sorted array whose value is not below the key, or the length of the array.
#[device]
fn lower_bound(sorted: &[f32], key: f32) -> usize {
    let mut low = 0;
    let mut high = sorted.len();
    while low < high {
        let middle = (low + high) / 2;
        if sorted[middle] < key {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// Draws from a discrete distribution by inversion: the value of the first class whose cumulative probability reaches
/// a uniform number, or of the last class.
#[kernel(family = "random_math")]
pub fn draw_by_inversion(
    #[domain(2..12)] classes: usize,
    #[domain(0.0..1.0, sorted)]
    #[shape(classes)]
    cumulative: &[f32],
    #[domain(-4.0..4.0)]
    #[shape(classes)]
    value: &[f32],
    #[domain(0.0..1.0)] uniform: &[f32],
    drawn: &mut [f32],
) {
    let i = tid();
    drawn[i] = value[lower_bound(cumulative, uniform[i]).min(classes - 1)];
}
