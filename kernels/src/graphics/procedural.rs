//! Procedural graphics: terrain and smoke of noise, and images by random samples.

use kernel_rt::library::{curlnoise3, noise2, poisson, sample_cdf, sample_unit_disk};
use kernel_rt::prelude::*;

/// How a terrain looks.
#[device]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Terrain {
    /// Hills along a unit of length.
    pub frequency: f32,
    /// The height of an octave over that of the one before.
    pub gain: f32,
    /// How far the coordinates are bent before the heights are looked up.
    pub bend: f32,
    /// 0 for rolling hills, 1 for sharp ridges.
    pub ridges: f32,
}

/// The sum of octaves of noise. Each has twice the frequency and is moved, so that their zeros do not meet.
#[device]
fn octaves_of_noise(state: u32, place: Vec2, octaves: u32, gain: f32, ridges: f32) -> f32 {
    let (mut sum, mut amplitude, mut x) = (0.0, 1.0, place);
    for _ in 0..octaves {
        let n = noise2(state, x);
        sum += amplitude * (n + ridges * (0.5 - (n * n + 0.0001).sqrt() - n));
        amplitude *= gain;
        x = x * 2.0 + Vec2::new(17.3, -9.1);
    }
    sum
}

/// Heights of a terrain, by octaves of noise at coordinates that noise bends: "domain warping" by Quilez (2002). Its gradient by
/// the places is the slope, which an erosion or a camera path needs.
#[kernel(family = "random_math")]
pub fn terrain_heights(
    #[domain(0..1000)] seed: i32,
    #[domain(1..6)] octaves: u32,
    #[domain(0.2..0.8)] terrain: Terrain,
    #[domain(-4.0..4.0)] places: &[Vec2],
    heights: &mut [f32],
) {
    let i = tid();
    let state = rand_seed(seed);
    let x = places[i] * terrain.frequency;
    let bend = Vec2::new(noise2(rand_init(seed, 1), x), noise2(rand_init(seed, 2), x)) * terrain.bend;
    heights[i] = octaves_of_noise(state, x + bend, octaves, terrain.gain, terrain.ridges);
}

/// Smoke that rises around a ball: each particle moves by the curl of noise, which neither gathers nor thins the smoke. Near the
/// ball the noise fades, and smoke that gets into the ball is put on its surface. After Bridson, Houriham and Nordenstam (2007).
#[kernel(family = "random_math")]
pub fn curl_noise_smoke(
    #[domain(0..1000)] seed: i32,
    #[domain(1..4)] steps: u32,
    #[domain(0.02..0.1)] dt: f32,
    #[domain(0.2..1.0)] swirl: f32,
    #[domain(0.5..1.5)] rise: f32,
    #[domain(0.3..0.6)] radius: f32,
    #[domain(-1.5..1.5)] start: &[Vec3],
    ends: &mut [Vec3],
    lengths: &mut [f32],
) {
    let i = tid();
    let state = rand_seed(seed);
    let mut x = start[i];
    let mut length = 0.0;
    for step in 0..steps {
        let away = x.length() - radius;
        let near = (away * 2.0).clamp(0.0, 1.0);
        let time = Vec3::new(0.0, 0.0, 0.25 * step as f32);
        let v = curlnoise3(state, x * 1.5 - time, 2, 2.0, 0.5) * (swirl * near) + Vec3::new(0.0, 0.0, rise);
        let before = x;
        x += v * dt;
        let distance = x.length();
        if distance < radius && distance > 0.0 {
            x *= radius / distance;
        }
        length += (x - before).length();
    }
    ends[i] = x;
    lengths[i] = length;
}

/// A round lamp that shines along its normal.
#[device]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoundLamp {
    /// The center.
    pub center: Vec3,
    /// The radius.
    pub radius: f32,
    /// The light that leaves each unit of the area.
    pub radiance: Vec3,
    /// The probability that a sample takes the lamp.
    pub chance: f32,
}

/// Light from many lamps above a floor, by samples: each takes a lamp by its probability, whose sums are in `cdf`, and a point
/// of its disc, and divides what arrives by the density of both. Lamps hang below the ceiling and shine down.
#[kernel(family = "random_math")]
pub fn sampled_lamps(
    #[domain(0..1000)] seed: i32,
    #[domain(1..9)] samples: u32,
    #[domain(0.0..1.0, sorted)]
    #[shape(6)]
    cdf: &[f32],
    #[domain(0.1..0.5)]
    #[shape(6)]
    lamps: &[RoundLamp],
    #[domain(-2.0..2.0)] floor: &[Vec2],
    light: &mut [Vec3],
) {
    let i = tid();
    let mut rng = rand_init(seed, i as i32);
    let point = Vec3::new(floor[i].x, floor[i].y, 0.0);
    let mut sum = Vec3::ZERO;
    for _ in 0..samples {
        let lamp = lamps[sample_cdf(&mut rng, cdf) as usize];
        let on_disc = sample_unit_disk(&mut rng) * lamp.radius;
        let to_lamp = lamp.center + Vec3::new(on_disc.x, on_disc.y, 2.0) - point;
        let squared = to_lamp.length_squared();
        // The cosines at the floor and at the lamp are both the height over the distance.
        let cosine = to_lamp.z / squared.sqrt();
        let area = std::f32::consts::PI * lamp.radius * lamp.radius;
        sum += lamp.radiance * (cosine * cosine * area / (squared * lamp.chance));
    }
    light[i] = sum / samples as f32;
}

/// The image that a sensor makes of light: photons arrive at random, by a Poisson distribution, electrons leave at random, by a
/// normal one, and the voltage is rounded to whole steps up to white. The first noise is that of dark images.
#[kernel(family = "random_math")]
pub fn sensor_noise(
    #[domain(0..1000)] seed: i32,
    #[domain(1.0..60.0)] exposure: f32,
    #[domain(0.5..3.0)] read_noise: f32,
    #[domain(0.5..4.0)] gain: f32,
    #[domain(0.0..1.0)] image: &Array2<f32>,
    photons: &mut Array2<u32>,
    voltages: &mut Array2<f32>,
    steps: &mut Array2<i32>,
) {
    let (row, column) = tid2();
    let mut rng = rand_init(seed, (row * image.shape()[1] + column) as i32);
    let count = poisson(&mut rng, exposure * image[[row, column]]);
    let voltage = gain * (count as f32 + read_noise * randn(&mut rng));
    photons[[row, column]] = count;
    voltages[[row, column]] = voltage;
    steps[[row, column]] = (voltage.round() as i32).clamp(0, 255);
}
