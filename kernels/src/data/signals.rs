//! Signals: transforms and filters.

use kernel_rt::prelude::*;

/// The discrete cosine transform of eight numbers, scaled so that it keeps lengths, as in JPEG: sums and differences of opposite
/// numbers give the even and the odd part (Chen, Smith and Fralick, 1977).
#[device]
fn cosine_transform(x: &mut [f32; 8]) {
    let (a0, a7) = (x[0] + x[7], x[0] - x[7]);
    let (a1, a6) = (x[1] + x[6], x[1] - x[6]);
    let (a2, a5) = (x[2] + x[5], x[2] - x[5]);
    let (a3, a4) = (x[3] + x[4], x[3] - x[4]);
    // Half of the cosines of k·π/16.
    let (c1, c2, c3) = (0.49039263, 0.46193975, 0.4157348);
    let (c4, c5, c6, c7) = (0.35355338, 0.2777851, 0.19134171, 0.09754516);
    let (b0, b3) = (a0 + a3, a0 - a3);
    let (b1, b2) = (a1 + a2, a1 - a2);
    x[0] = c4 * (b0 + b1);
    x[4] = c4 * (b0 - b1);
    x[2] = c2 * b3 + c6 * b2;
    x[6] = c6 * b3 - c2 * b2;
    x[1] = c1 * a7 + c3 * a6 + c5 * a5 + c7 * a4;
    x[3] = c3 * a7 - c7 * a6 - c1 * a5 - c5 * a4;
    x[5] = c5 * a7 - c1 * a6 + c7 * a5 + c3 * a4;
    x[7] = c7 * a7 - c5 * a6 + c3 * a5 - c1 * a4;
}

/// A number moved towards 0 by a limit; 0 if it is nearer (soft thresholding: Donoho, 1995).
#[device]
fn soft_threshold(value: f32, limit: f32) -> f32 {
    if value > limit {
        value - limit
    } else if value < -limit {
        value + limit
    } else {
        0.0
    }
}

/// Denoises rows of eight samples: colours to brightness and two differences (YCbCr), the cosine transform of each of the three,
/// coefficients made smaller by a threshold that grows with the frequency, and their energy by channel.
#[kernel(family = "arithmetic")]
pub fn shrink_coefficients(
    #[domain(0.01..0.1)] threshold: f32,
    #[domain(1.0..3.0)] colour_factor: f32,
    #[shape(dim0, 8)]
    #[domain(0.0..1.0)]
    pixels: &Array2<Vec3>,
    #[shape(dim0, 8)] coefficients: &mut Array2<Vec3>,
    energy: &mut [Vec3],
) {
    let i = tid();
    let mut light = [0.0f32; 8];
    let mut blue = [0.0f32; 8];
    let mut red = [0.0f32; 8];
    for k in 0..8 {
        let pixel = pixels[[i, k]];
        let y = 0.299 * pixel.x + 0.587 * pixel.y + 0.114 * pixel.z;
        light[k] = y - 0.5;
        blue[k] = 0.564 * (pixel.z - y);
        red[k] = 0.713 * (pixel.x - y);
    }
    cosine_transform(&mut light);
    cosine_transform(&mut blue);
    cosine_transform(&mut red);
    let mut sum = Vec3::ZERO;
    for k in 0..8 {
        let limit = threshold * (0.5 + 0.25 * k as f32);
        let y = soft_threshold(light[k], limit);
        let b = soft_threshold(blue[k], limit * colour_factor);
        let r = soft_threshold(red[k], limit * colour_factor);
        let kept = Vec3::new(y, b, r);
        coefficients[[i, k]] = kept;
        sum += kept * kept;
    }
    energy[i] = sum;
}

/// The coefficients of a filter of the second order (b0, b1, b2) and (a1, a2).
#[device]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Biquad {
    /// The weights of the input now, one and two samples before.
    pub forward: Vec3,
    /// The weights of the output one and two samples before.
    pub back: Vec2,
}

/// The filter that raises or lowers a band of an equaliser, or all below or above a frequency, after Bristow-Johnson's "Audio EQ
/// cookbook": kind 0 is a peak, 1 a low shelf, others a low pass. `frequency` is by the sampling rate, `gain` in dB.
#[device]
fn equaliser_band(kind: u32, frequency: f32, gain: f32, quality: f32) -> Biquad {
    let turn = std::f32::consts::TAU * frequency;
    let (cosine, width) = (turn.cos(), turn.sin() / (2.0 * quality));
    let lift = (gain * 0.057564627).exp();
    let root = 2.0 * lift.sqrt() * width;
    let mut forward = Vec3::new(0.5 * (1.0 - cosine), 1.0 - cosine, 0.5 * (1.0 - cosine));
    let mut scale = 1.0 + width;
    let mut back = Vec2::new(-2.0 * cosine, 1.0 - width);
    if kind == 0 {
        forward = Vec3::new(1.0 + width * lift, -2.0 * cosine, 1.0 - width * lift);
        scale = 1.0 + width / lift;
        back = Vec2::new(-2.0 * cosine, 1.0 - width / lift);
    } else if kind == 1 {
        let (up, down) = (lift + 1.0, lift - 1.0);
        let first = up - down * cosine;
        forward = Vec3::new(first + root, 2.0 * (down - up * cosine), first - root) * lift;
        scale = up + down * cosine + root;
        back = Vec2::new(-2.0 * (down + up * cosine), up + down * cosine - root);
    }
    Biquad { forward: forward / scale, back: back / scale }
}

/// Filters channels of audio by an equaliser of three bands in a row, each in the transposed direct form II; `loudness` is the mean
/// square of the output. State of the filters carries over from block to block.
#[kernel(family = "loop")]
pub fn equalise(
    #[domain(0.02..0.1)] low: f32,
    #[domain(0.1..0.3)] middle: f32,
    #[domain(0.3..0.45)] high: f32,
    #[domain(-6.0..6.0)] gains: Vec3,
    #[shape(3)]
    #[domain(0..3)]
    kinds: &[u32],
    #[domain(0.6..1.4)] quality: f32,
    #[shape(dim0, 12)]
    #[domain(-1.0..1.0)]
    input: &Array2<f32>,
    #[domain(-0.2..0.2)] states: &mut [Matrix<f32, 2, 3>],
    #[shape(dim0, 12)] output: &mut Array2<f32>,
    loudness: &mut [f32],
) {
    let channel = tid();
    let bass = equaliser_band(kinds[0], low, gains.x, quality);
    let voice = equaliser_band(kinds[1], middle, gains.y, quality);
    let treble = equaliser_band(kinds[2], high, gains.z, quality);
    let mut state = states[channel];
    let mut sum = 0.0;
    for n in 0..input.shape()[1] {
        let mut sample = input[[channel, n]];
        for band in 0..3 {
            let filter = if band == 0 {
                bass
            } else if band == 1 {
                voice
            } else {
                treble
            };
            let before = state.col(band);
            let next = filter.forward.x * sample + before.x;
            let first = filter.forward.y * sample - filter.back.x * next + before.y;
            let second = filter.forward.z * sample - filter.back.y * next;
            *state.col_mut(band) = Vec2::new(first, second);
            sample = next;
        }
        output[[channel, n]] = sample;
        sum += sample * sample;
    }
    states[channel] = state;
    loudness[channel] = sum / input.shape()[1] as f32;
}
