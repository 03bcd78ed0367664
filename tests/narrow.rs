//! Integers of 8 and 16 bits through every stage: the CPU and its adjoint against the interpreter and dual numbers, the
//! emitted C++ and CUDA, and Warp.

use kernel_rt::prelude::*;
use kernel_rt::registered_kernels;

/// A weight in units of the scale of its row.
#[device]
fn dequantized(weights: &Array2<i8>, scale: f32, i: usize, j: usize) -> f32 {
    scale * weights[[i, j]] as f32
}

/// A layer of quantised weights with a scale for each row. Gradients go to the scales and to the input.
#[kernel(family = "test")]
fn quantised_layer(
    #[domain(-1.0..1.0)]
    #[shape(6)]
    x: &[f32],
    #[domain(-128..128)]
    #[shape(dim0, x.len())]
    weights: &Array2<i8>,
    #[domain(0.01..0.1)] scale: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    let mut sum = 0.0;
    for j in 0..x.len() {
        sum += dequantized(weights, scale[i], i, j) * x[j];
    }
    y[i] = sum;
}

/// The nearest weights of 8 bits, and the scale of each row.
#[kernel(family = "test")]
fn quantise(
    #[domain(-2.0..2.0)]
    #[shape(dim0, 5)]
    x: &Array2<f32>,
    scale: &mut [f32],
    #[shape(dim0, 5)] quantised: &mut Array2<i8>,
) {
    let i = tid();
    let mut largest = 1e-6f32;
    for k in 0..5 {
        largest = largest.max(x[[i, k]].abs());
    }
    scale[i] = largest / 127.0;
    for k in 0..5 {
        quantised[[i, k]] = (x[[i, k]] / largest * 127.0).round() as i8;
    }
}

/// An image of three channels in grey, rounded.
#[kernel(family = "test")]
fn to_grey(
    #[domain(0..256)]
    #[shape(dim0, dim1, 3)]
    rgb: &Array3<u8>,
    grey: &mut Array2<u8>,
) {
    let (i, j) = tid2();
    let (r, g, b) = (rgb[[i, j, 0]], rgb[[i, j, 1]], rgb[[i, j, 2]]);
    let light = 0.299 * r as f32 + 0.587 * g as f32 + 0.114 * b as f32;
    grey[[i, j]] = light.round().clamp(0.0, 255.0) as u8;
}

/// An image in shades of one colour; light beyond white is white.
#[kernel(family = "test")]
fn to_colour(
    #[domain(-200..200)] light: i32,
    #[domain(0..256)]
    #[shape(3)]
    tint: &[u8],
    #[domain(0..256)] grey: &Array2<u8>,
    #[shape(dim0, dim1, 3)] rgb: &mut Array3<u8>,
) {
    let (i, j) = tid2();
    for c in 0..3 {
        let shade = grey[[i, j]] as i32 * tint[c] as i32 / 255;
        rgb[[i, j, c]] = (shade + light).clamp(0, 255) as u8;
    }
}

/// How often each value occurs.
#[kernel(family = "test")]
fn histogram(#[domain(0..256)] pixels: &[u8], #[shape(256)] count: &mut [u32]) {
    let i = tid();
    atomic_add(&mut count[pixels[i] as usize], 1);
}

/// Two recordings with a gain each, one over the other; what is too loud is cut off.
#[kernel(family = "test")]
fn mix(
    #[domain(0.0..2.0)] gain: f32,
    #[domain(-32768..32768)] voice: &[i16],
    #[domain(-32768..32768)] music: &[i16],
    mixed: &mut [i16],
    loud: &mut [bool],
) {
    let i = tid();
    let quiet = music[i] / 4;
    let sum = gain * voice[i] as f32 + quiet as f32;
    loud[i] = sum.abs() > i16::MAX as f32;
    mixed[i] = sum.round().clamp(i16::MIN as f32, 32767.0) as i16;
}

/// Sums, differences and products that wrap around, in all four types, and narrow values between them.
#[kernel(family = "test")]
fn wrapping(
    #[domain(-128..128)] a: &[i8],
    #[domain(0..256)] b: &[u8],
    #[domain(-32768..32768)] c: &[i16],
    #[domain(0..65536)] d: &[u16],
    bytes: &mut [i8],
    unsigned_bytes: &mut [u8],
    words: &mut [i16],
    unsigned_words: &mut [u16],
) {
    let i = tid();
    bytes[i] = a[i].wrapping_mul(a[i]).wrapping_add(100).wrapping_sub(b[i] as i8) >> 1;
    unsigned_bytes[i] = b[i].wrapping_mul(b[i]).wrapping_add(200).wrapping_sub(a[i] as u8) >> 1;
    words[i] = c[i].wrapping_mul(c[i]).wrapping_add(30_000).wrapping_sub(d[i] as i16) / 3;
    unsigned_words[i] = d[i].wrapping_mul(d[i]).wrapping_add(60_000).wrapping_sub(c[i] as u16) / 3;
}

/// Operations whose results C would leave as `int`.
#[kernel(family = "test")]
fn operations(
    #[domain(-100..100)] a: &[i8],
    #[domain(1..200)] b: &[u8],
    #[domain(-30000..30000)] c: &[i16],
    #[domain(0..16)] shift: &[u32],
    #[shape(dim0, 9)] bytes: &mut Array2<u8>,
    #[shape(dim0, 5)] signed_bytes: &mut Array2<i8>,
    #[shape(dim0, 6)] words: &mut Array2<u16>,
    #[shape(dim0, 4)] signed_words: &mut Array2<i16>,
    #[shape(dim0, 3)] counts: &mut Array2<u32>,
) {
    let i = tid();
    let (x, n) = (b[i], shift[i]);
    bytes[[i, 0]] = !x >> 1;
    bytes[[i, 1]] = (x << 3) >> 2;
    bytes[[i, 2]] = (x.rotate_left(n) ^ 0xf0) | 1;
    bytes[[i, 3]] = x.abs_diff(100).max(2) ^ n.min(7) as u8;
    bytes[[i, 4]] = x.saturating_sub(50) % 7;
    bytes[[i, 5]] = (250 / x).clamp(1, 200);
    bytes[[i, 6]] = if x > 9 { x - 9 } else { 9 };
    bytes[[i, 7]] = (a[i] as u8 & 15).pow(2);
    bytes[[i, 8]] = x.rem_euclid(11) + (x == 7) as u8;
    signed_bytes[[i, 0]] = -a[i] / 2;
    signed_bytes[[i, 1]] = a[i].abs().min(99).max(-a[i]);
    signed_bytes[[i, 2]] = a[i].signum() * 5 - a[i].rem_euclid(7);
    signed_bytes[[i, 3]] = (a[i] << (n % 8)) >> 1;
    signed_bytes[[i, 4]] = a[i].saturating_sub(x as i8).clamp(-90, i8::MAX);
    let word = c[i] as u16;
    words[[i, 0]] = word.rotate_right(n);
    words[[i, 1]] = word >> n;
    words[[i, 2]] = (word << n) >> 3;
    words[[i, 3]] = word % 1000 + 60_000;
    words[[i, 4]] = x as u16 * 257;
    words[[i, 5]] = word.abs_diff(32_768).max(x as u16);
    signed_words[[i, 0]] = -c[i];
    signed_words[[i, 1]] = c[i] >> n;
    signed_words[[i, 2]] = c[i].rotate_left(n) ^ -1;
    signed_words[[i, 3]] = c[i].saturating_sub(a[i] as i16 * 256);
    counts[[i, 0]] = a[i].count_ones() + c[i].count_ones();
    counts[[i, 1]] = x.leading_zeros() + a[i].leading_zeros() + word.leading_zeros();
    counts[[i, 2]] = x.trailing_zeros() + c[i].trailing_zeros();
}

/// The least light of a film.
#[device]
const FILM: u8 = 16;

/// A value between two others.
#[device]
fn blended(a: u8, b: u8, part: u8) -> u8 {
    let (part, rest) = (part as u16, 255 - part as u16);
    ((a as u16 * rest + b as u16 * part) / 255) as u8
}

/// The two bytes of a word, the upper one first.
#[device]
fn split(word: u16) -> (u8, u8) {
    ((word >> 8) as u8, word as u8)
}

/// Words taken apart: loops, matches and tables of narrow types. A mask may hide some of the words.
#[kernel(family = "test")]
fn decode(
    #[domain(0..65536)] words: &[u16],
    #[domain(0..2)] mask: Option<&[u8]>,
    #[domain(0..100)] offset: i16,
    text: &mut [u8],
    sums: &mut [i16],
    steps: &mut [u32],
) {
    const LEVELS: [u8; 4] = [0, 85, 170, 255];
    const DARK: u8 = 40;
    let i = tid();
    let (upper, lower) = split(words[i]);
    let kind = match upper {
        ..=9 => 48,
        10 | 20 | 30 => 116,
        DARK..100 => 100,
        n if n % 2 == 0 => 101,
        u8::MAX => 109,
        _ => 111,
    };
    let mut bits = [0u8; 3];
    for k in 0..3u8 {
        bits[k as usize] = lower >> k & 1;
    }
    let mut sum = offset;
    for k in (-2..=2i8).rev() {
        sum += k as i16 * bits[((k + 2) as usize).min(2)] as i16;
    }
    let mut count = 0;
    for level in (0..=255u8).step_by(85) {
        count += (level >= lower) as u32;
    }
    for word in (65_530..=u16::MAX).rev().step_by(2) {
        count += (word ^ words[i]) as u32 & 1;
    }
    let mut left = lower;
    while left > 0 {
        left /= 3;
        count += 1;
    }
    steps[i] = count;
    sums[i] = sum - blended(LEVELS[(upper % 4) as usize], FILM, lower) as i16;
    if let Some(mask) = mask
        && mask[i] == 0
    {
        return;
    }
    text[i] = kind;
}

/// A measurement, with padding between its fields.
#[device]
#[derive(Clone, Copy, Debug, PartialEq)]
struct Reading {
    channel: u8,
    value: f32,
    gain: i8,
    time: u16,
    error: f64,
    flags: u8,
}

/// The readings after a correction; gradients go to values and errors.
#[kernel(family = "test")]
fn correct(
    #[domain(-1.0..1.0)] readings: &[Reading],
    #[domain(-1.0..1.0)] reference: Reading,
    #[domain(-1.0..1.0)] corrected: &mut [Reading],
    #[domain(0..8)]
    #[shape(8)]
    gains: &[i8],
) {
    let i = tid();
    let reading = readings[i];
    corrected[i].value = reading.value * gains[reading.channel as usize] as f32 - reference.value;
    corrected[i].error += reading.error * reading.gain as f64 + reference.gain as f64;
    corrected[i].time = reading.time * 2 + reference.time;
    corrected[i].flags |= reading.flags & !reference.flags;
    corrected[i].gain -= reading.gain;
    if reading.channel == reference.channel {
        corrected[i] = Reading { channel: 200, ..reference };
    }
}

/// States of a loop that carries narrow values: the adjoint keeps them, too.
#[kernel(family = "test")]
fn carried(#[domain(0..20)] steps: u8, #[domain(1..256)] seed: &[u8], #[domain(-1.0..1.0)] x: &[f32], y: &mut [f32]) {
    let i = tid();
    let (mut state, mut level) = (seed[i], -100i8);
    let mut sum = x[i];
    for k in 0..steps {
        state = (state >> 1) ^ (state & 1).wrapping_mul(0xb8);
        level = level.wrapping_add(state as i8 / 2);
        if level > 0 {
            sum *= 1.0 + state as f32 * x[i] / 1000.0;
        } else {
            sum += sum * sum * (k as f32 - level as f32) / 500.0;
        }
    }
    y[i] = sum;
}

#[test]
fn the_cpu_computes_in_narrow_types() {
    let mut grey = Array2::zeros([1, 2]);
    let rgb = Array3::from_vec([1, 2, 3], vec![255, 255, 255, 10, 20, 31]).unwrap();
    to_grey::cpu([1, 2], &rgb, &mut grey).unwrap();
    assert_eq!(grey.as_slice(), [255, 18]);
    let mut count = [0; 256];
    histogram::cpu(3, &[7, 255, 7], &mut count).unwrap();
    assert_eq!((count[7], count[255]), (2, 1));
}

/// Threads meet at an index that a cast has cut off, so one core runs them, in order. Only a large launch has such threads,
/// which run in any order on other devices.
#[kernel(family = "test", no_grad)]
fn last_of_each(x: &[f32], #[shape(65536)] last: &mut [f32], #[shape(65536)] next: &mut [f32]) {
    let i = tid();
    last[(i as u16) as usize] = x[i];
    next[(i as i16 as u16).wrapping_add(1) as usize] = x[i];
}

#[test]
fn an_index_that_is_cut_off_is_shared() {
    let info = registered_kernels().into_iter().find(|info| info.name == "last_of_each").unwrap();
    assert!(info.execution.contains("may write the same element of `last`"), "{}", info.execution);
    let x: Vec<f32> = (0..66_000).map(|k| k as f32).collect();
    let (mut last, mut next) = (vec![0.0; 65536], vec![0.0; 65536]);
    last_of_each::cpu(66_000, &x, &mut last, &mut next).unwrap();
    let found = (last[0], last[463], last[464], next[0], next[1]);
    assert_eq!(found, (65_536.0, 65_999.0, 464.0, 65_535.0, 65_536.0));
}

/// The layout is that of C.
#[test]
fn structs_have_padding() {
    let layout = Reading::ir_type().layout().unwrap();
    assert_eq!((layout.size, layout.align), (32, 8));
    let offsets: Vec<usize> = layout.values.iter().map(|(offset, _)| *offset).collect();
    assert_eq!(offsets, [0, 4, 8, 10, 16, 24]);
    assert_eq!((size_of::<Reading>(), align_of::<Reading>()), (32, 8));
}

/// An overflow is an error of the launch, as in every integer type.
#[kernel]
fn brighten(#[domain(0..9)] by: u8, #[domain(0..9)] pixels: &mut [u8]) {
    let i = tid();
    pixels[i] += by;
}

#[test]
#[cfg_attr(not(debug_assertions), ignore = "Rust panics at integer overflow only where it checks arithmetic")]
fn an_overflow_is_reported() {
    let mut pixels = [100, 250];
    let error = brighten::cpu(2, 6, &mut pixels).unwrap_err();
    let LaunchError::Failed { thread, ref message, .. } = error else { panic!("{error}") };
    assert_eq!((thread, message.as_str()), (vec![1], "attempt to add with overflow"));
}

#[test]
fn gradients_go_around_narrow_arrays() {
    let device = Device::cpu();
    let x = device.array_from(&[1.0f32, 2.0]).unwrap();
    let weights = device.array_from_nd(Array2::from_vec([1, 2], vec![3i8, -4]).unwrap()).unwrap();
    let scale = device.array_from(&[0.5f32]).unwrap();
    let y = device.zeros(1).unwrap();
    let tape = Tape::new(&device);
    quantised_layer::launch(&tape, 1, (&x, &weights, &scale, &y)).unwrap();
    assert_eq!(y.to_vec().unwrap(), [-2.5]);
    tape.backward(&y).unwrap();
    assert_eq!(tape.gradient(&x).unwrap().to_vec().unwrap(), [1.5, -2.0]);
    assert_eq!(tape.gradient(&scale).unwrap().to_vec().unwrap(), [-5.0]);
}
