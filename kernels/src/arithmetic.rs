//! Element-wise arithmetic: each thread computes one element by a handful of operations, in floats, integers and bits.

use kernel_rt::prelude::*;

/// BLAS saxpy: y = a·x + y.
#[kernel(family = "arithmetic")]
pub fn saxpy(#[domain(-2.0..2.0)] a: f32, #[domain(-1.0..1.0)] x: &[f32], #[domain(-1.0..1.0)] y: &mut [f32]) {
    let i = tid();
    y[i] += a * x[i];
}

/// Scaled sum of two vectors in double precision: z = a·x + b·y.
#[kernel(family = "arithmetic")]
pub fn axpby(
    #[domain(-2.0..2.0)] a: f64,
    #[domain(-10.0..10.0)] x: &[f64],
    #[domain(-2.0..2.0)] b: f64,
    #[domain(-10.0..10.0)] y: &[f64],
    z: &mut [f64],
) {
    let i = tid();
    z[i] = a * x[i] + b * y[i];
}

/// Fused multiply-add, rounded once: d = a·b + c.
#[kernel(family = "arithmetic")]
pub fn fused_multiply_add(
    #[domain(-4.0..4.0)] a: &[f32],
    #[domain(-4.0..4.0)] b: &[f32],
    #[domain(-4.0..4.0)] c: &[f32],
    d: &mut [f32],
) {
    let i = tid();
    d[i] = a[i].mul_add(b[i], c[i]);
}

/// A cubic polynomial by Horner's rule: y = c₀ + c₁x + c₂x² + c₃x³, with `coefficients` = (c₀, c₁, c₂, c₃).
#[kernel(family = "arithmetic")]
pub fn horner_cubic(#[domain(-3.0..3.0)] coefficients: Vec4, #[domain(-2.0..2.0)] x: &[f32], y: &mut [f32]) {
    let i = tid();
    let t = x[i];
    let mut value = coefficients.w;
    value = value * t + coefficients.z;
    value = value * t + coefficients.y;
    value = value * t + coefficients.x;
    y[i] = value;
}

/// Linear interpolation between two signals: out = start + t·(end − start).
#[kernel(family = "arithmetic")]
pub fn linear_interpolate(
    #[domain(-5.0..5.0)] start: &[f32],
    #[domain(-5.0..5.0)] end: &[f32],
    #[domain(0.0..1.0)] t: &[f32],
    out: &mut [f32],
) {
    let i = tid();
    out[i] = start[i] + t[i] * (end[i] - start[i]);
}

/// Product of complex numbers, stored as (real, imaginary): (a + bi)(c + di) = (ac − bd) + (ad + bc)i.
#[kernel(family = "arithmetic")]
pub fn complex_multiply(#[domain(-3.0..3.0)] lhs: &[Vec2], #[domain(-3.0..3.0)] rhs: &[Vec2], product: &mut [Vec2]) {
    let i = tid();
    let p = lhs[i];
    let q = rhs[i];
    let re = p.x * q.x - p.y * q.y;
    let im = p.x * q.y + p.y * q.x;
    product[i] = Vec2::new(re, im);
}

/// Integer luma of packed 0xRRGGBB pixels: (77·R + 150·G + 29·B) / 256, rounded; 0 to 255.
#[kernel(family = "arithmetic")]
pub fn rgb_to_luma(#[domain(0..16777216)] pixels: &[u32], luma: &mut [u32]) {
    let i = tid();
    let pixel = pixels[i];
    let red = (pixel >> 16) & 0xff;
    let green = (pixel >> 8) & 0xff;
    let blue = pixel & 0xff;
    luma[i] = (77 * red + 150 * green + 29 * blue + 128) >> 8;
}

/// Porter-Duff "over" on an image of premultiplied RGBA colours: out = top + bottom·(1 − alpha of top).
#[kernel(family = "arithmetic")]
pub fn alpha_over(
    #[domain(0.0..1.0)] top: &Array2<Vec4>,
    #[domain(0.0..1.0)] bottom: &Array2<Vec4>,
    out: &mut Array2<Vec4>,
) {
    let (row, column) = tid2();
    let front = top[[row, column]];
    let back = bottom[[row, column]];
    out[[row, column]] = front + back * (1.0 - front.w);
}

/// Temperatures from tenths of °C to whole °F, F = 1.8·C + 32, in integers with halves rounded away from zero.
#[kernel(family = "arithmetic")]
pub fn decicelsius_to_fahrenheit(#[domain(-2731..50000)] decicelsius: &[i32], fahrenheit: &mut [i32]) {
    let i = tid();
    // 1.8·(d/10) + 32 = (9·d + 1600) / 50
    let numerator = 9 * decicelsius[i] + 1600;
    let half = if numerator < 0 { -25 } else { 25 };
    fahrenheit[i] = (numerator + half) / 50;
}

/// Product of Q16.16 fixed-point numbers, rounded to the nearest: (a·b + 2¹⁵) / 2¹⁶.
#[kernel(family = "arithmetic")]
pub fn fixed_point_multiply(
    #[domain(-8000000..8000000)] a: &[i32],
    #[domain(-8000000..8000000)] b: &[i32],
    product: &mut [i32],
) {
    let i = tid();
    let wide = a[i] as i64 * b[i] as i64;
    product[i] = ((wide + 0x8000) >> 16) as i32;
}

/// Reflected binary Gray code of each number: n ⊕ n/2. Codes of neighbours differ in one bit.
#[kernel(family = "arithmetic")]
pub fn gray_code(#[domain(0..4294967295)] numbers: &[u32], codes: &mut [u32]) {
    let i = tid();
    let n = numbers[i];
    codes[i] = n ^ (n >> 1);
}

/// Hamming distance of 64-bit fingerprints: the number of bits in which they differ.
#[kernel(family = "arithmetic")]
pub fn hamming_distance(
    #[domain(0..9000000000000000000)] fingerprints: &[u64],
    #[domain(0..9000000000000000000)] query: u64,
    distance: &mut [u32],
) {
    let i = tid();
    distance[i] = (fingerprints[i] ^ query).count_ones();
}

/// Morton (Z-order) code of grid cells: the bits of x and y, each below 2¹⁶, interleaved.
#[kernel(family = "arithmetic")]
pub fn morton_encode(#[domain(0..65536)] cells: &[UVec2], codes: &mut [u32]) {
    let i = tid();
    let mut x = cells[i].x;
    let mut y = cells[i].y;
    x = (x | (x << 8)) & 0x00ff00ff;
    x = (x | (x << 4)) & 0x0f0f0f0f;
    x = (x | (x << 2)) & 0x33333333;
    x = (x | (x << 1)) & 0x55555555;
    y = (y | (y << 8)) & 0x00ff00ff;
    y = (y | (y << 4)) & 0x0f0f0f0f;
    y = (y | (y << 2)) & 0x33333333;
    y = (y | (y << 1)) & 0x55555555;
    codes[i] = x | (y << 1);
}

/// MurmurHash3's 32-bit finaliser: every input bit changes about half of the output bits.
#[kernel(family = "arithmetic")]
pub fn murmur_finalize(#[domain(0..4294967295)] keys: &[u32], hashes: &mut [u32]) {
    let i = tid();
    let mut h = keys[i];
    h ^= h >> 16;
    h = h.wrapping_mul(0x85ebca6b);
    h ^= h >> 13;
    h = h.wrapping_mul(0xc2b2ae35);
    h ^= h >> 16;
    hashes[i] = h;
}

/// Mean of two unsigned integers, rounded down, without overflow: (a & b) + (a ⊕ b)/2.
#[kernel(family = "arithmetic")]
pub fn floor_average(#[domain(0..4294967295)] a: &[u32], #[domain(0..4294967295)] b: &[u32], average: &mut [u32]) {
    let i = tid();
    average[i] = (a[i] & b[i]) + ((a[i] ^ b[i]) >> 1);
}

/// Symmetric 8-bit quantisation: q = round(x / scale), kept within −127 to 127.
#[kernel(family = "arithmetic")]
pub fn quantize_int8(#[domain(0.01..0.1)] scale: f32, #[domain(-8.0..8.0)] x: &[f32], q: &mut [i32]) {
    let i = tid();
    let level = (x[i] / scale).round();
    q[i] = level.clamp(-127.0, 127.0) as i32;
}

/// Seconds since midnight, of any day and sign, as (hour, minute, second).
#[kernel(family = "arithmetic")]
pub fn time_of_day(#[domain(-1000000000000..1000000000000)] seconds: &[i64], clock: &mut [IVec3]) {
    let i = tid();
    let second_of_day = seconds[i].rem_euclid(86400) as i32;
    let hour = second_of_day / 3600;
    let minute = second_of_day / 60 % 60;
    clock[i] = IVec3::new(hour, minute, second_of_day % 60);
}

/// Batch normalisation at inference, on a tensor of samples × channels × rows × columns:
/// y = gain·(x − mean)/√(variance + 10⁻⁵) + bias, the statistics being by channel.
#[kernel(family = "arithmetic")]
pub fn batch_norm(
    #[domain(-3.0..3.0)] x: &Array4<f32>,
    #[shape(dim1)]
    #[domain(-1.0..1.0)]
    mean: &[f32],
    #[shape(dim1)]
    #[domain(0.1..4.0)]
    variance: &[f32],
    #[shape(dim1)]
    #[domain(0.5..2.0)]
    gain: &[f32],
    #[shape(dim1)]
    #[domain(-1.0..1.0)]
    bias: &[f32],
    y: &mut Array4<f32>,
) {
    let (n, c, h, w) = tid4();
    let deviation = (variance[c] + 1e-5).sqrt();
    let normalized = (x[[n, c, h, w]] - mean[c]) / deviation;
    y[[n, c, h, w]] = gain[c] * normalized + bias[c];
}

/// Foreground of a grey volume: how far each voxel lies above its background, at least 0.
#[kernel(family = "arithmetic")]
pub fn subtract_background(
    #[domain(0..65536)] voxels: &Array3<u32>,
    #[domain(0..4096)] background: &Array3<u32>,
    foreground: &mut Array3<u32>,
) {
    let (x, y, z) = tid3();
    foreground[[x, y, z]] = voxels[[x, y, z]].saturating_sub(background[[x, y, z]]);
}
