// The hash `pcg` of Jarzynski and Olano, Hash Functions for GPU Rendering, 2020.
fn randu_u32(state: u32) -> u32 {
    let sum = state * 747796405u + 2891336453u;
    let word = ((sum >> ((sum >> 28u) + 4u)) ^ sum) * 277803737u;
    return (word >> 22u) ^ word;
}

fn rand_init_i32(seed: i32, offset: i32) -> u32 { return randu_u32(u32(seed) + randu_u32(u32(offset))); }

fn randf_u32(state: u32) -> f32 { return f32(randu_u32(state) >> 8u) * (1.0f / 16777216.0f); }

fn randf_range_u32_f32_f32(state: u32, low: f32, high: f32) -> f32 { return (high - low) * randf_u32(state) + low; }

// By bits: a compiler of WGSL may assume that every float is finite.
fn is_finite(x: f32) -> bool { return (bitcast<u32>(x) & 0x7f800000u) != 0x7f800000u; }

// Whether the logarithm of `x` is an ordinary number.
fn is_logarithm(x: f32) -> bool { return x > 0.0f && is_finite(x); }

// No constant of WGSL is NaN or infinite.
fn infinity() -> f32 {
    var bits = 0x7f800000u;
    return bitcast<f32>(bits);
}

// By bits: a compiler of WGSL may assume that no float is NaN.
fn is_nan(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }

// No constant of WGSL is NaN or infinite.
fn nan() -> f32 {
    var bits = 0x7fc00000u;
    return bitcast<f32>(bits);
}

// The logarithm of a number that is not positive, or not finite.
fn log_limit(x: f32) -> f32 {
    if (x == 0.0f) { return -infinity(); }
    if (x < 0.0f || is_nan(x)) { return nan(); }
    return x;
}

// A positive, finite `x` as `m` times two to the power of `n`, as the vector of m - 1 and n; m is near 1.
fn log_parts(x: f32) -> vec2f {
    let is_small = x < 1.1754944e-38f;
    let bits = bitcast<i32>(select(x, x * 8388608.0f, is_small));
    // The square root of 1/2 is the smallest `m`.
    let n = (bits - 0x3f3504f3) >> 23u;
    let m = bitcast<f32>(bits - (n << 23u));
    return vec2f(m - 1.0f, f32(n) - select(0.0f, 23.0f, is_small));
}

// The logarithm of 1 + f, minus f, by the series in f / (2 + f).
fn log_rest(f: f32) -> f32 {
    let s = f / (2.0f + f);
    let z = s * s;
    let series = z * (0.6666667f + z * (0.4f + z * (0.2857143f + z * (0.22222222f + z * 0.18181819f))));
    let half_square = 0.5f * f * f;
    return s * (half_square + series) - half_square;
}

fn log(x: f32) -> f32 {
    if (!is_logarithm(x)) { return log_limit(x); }
    let parts = log_parts(x);
    return parts.y * 0.693359375f + ((log_rest(parts.x) + parts.y * -0.00021219444f) + parts.x);
}

// The product of two integers, the low word first.
fn multiplied_u32(a: u32, b: u32) -> vec2u {
    let low = (a & 0xffffu) * (b & 0xffffu);
    let middle = (a >> 16u) * (b & 0xffffu) + (low >> 16u);
    let other = (a & 0xffffu) * (b >> 16u) + (middle & 0xffffu);
    return vec2u((other << 16u) | (low & 0xffffu), (a >> 16u) * (b >> 16u) + (middle >> 16u) + (other >> 16u));
}

// As `quarter`, for large angles: the product with the digits of 2/π that decide (Payne and Hanek, 1983).
fn far_quarter(x: f32) -> vec3f {
    if (!is_finite(x)) { return vec3f(nan(), 0.0f, 0.0f); }
    let bits = bitcast<u32>(x);
    let mantissa = (bits & 0x7fffffu) | 0x800000u;
    // The number is the mantissa times two to the power of `exponent`, which is between -10 and 104.
    let exponent = i32((bits >> 23u) & 0xffu) - 150;
    let first = u32(exponent + 30);
    // Four words of the bits of 2/π behind the point, from the word with the first bit that decides.
    let at = first >> 5u;
    var words = vec4u(0u, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u);
    words = select(words, vec4u(0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u), at == 1u);
    words = select(words, vec4u(0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u), at == 2u);
    words = select(words, vec4u(0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u), at == 3u);
    words = select(words, vec4u(0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu), at >= 4u);
    // The bits from there on. A shift by 32 would be one by 0.
    let shift = first & 31u;
    let window = (words.xyz << vec3u(shift)) | ((words.yzw >> vec3u(1u)) >> vec3u(31u - shift));
    // The product modulo 2^96, of which the upper two bits are the number of the quarter.
    let third = multiplied_u32(window.z, mantissa);
    let second = multiplied_u32(window.y, mantissa);
    let middle = second.x + third.y;
    let high = window.x * mantissa + second.y + select(0u, 1u, middle < second.x);
    // To the nearest quarter.
    let rounded = high + 0x20000000u;
    var upper = (high << 2u) | (middle >> 30u);
    var lower = middle << 2u;
    let is_negative = (upper >> 31u) != 0u;
    if (is_negative) {
        upper = ~upper;
        lower = ~lower;
    }
    let zeros = countLeadingZeros(upper);
    let leading = select((upper << zeros) | (lower >> (32u - zeros)), upper, zeros == 0u);
    let fraction = f32(leading >> 8u) * bitcast<f32>((103u - zeros) << 23u) * 1.5707964f;
    let quarter = f32(rounded >> 30u);
    let angle = select(fraction, -fraction, is_negative);
    if (x < 0.0f) { return vec3f(-angle, f32((4u - (rounded >> 30u)) & 3u), 0.0f); }
    return vec3f(angle, quarter, 0.0f);
}

// What the sum of `a` and `b` lacks, by Knuth.
fn sum_error(a: f32, b: f32, sum: f32) -> f32 {
    let part = sum - a;
    return (a - (sum - part)) + (b - part);
}

// An angle without whole quarters of a turn, the number of the quarter from 0 to 3, and what the angle lacks.
fn quarter(x: f32) -> vec3<f32> {
    if (abs(x) > 10000.0f) { return far_quarter(x); }
    let n = floor(x * 0.63661975f + 0.5f);
    // Half of π in parts that have so few digits that their products with `n` are exact.
    let first = x - n * 1.5703125f;
    let second = n * -0.0004837513f;
    let sum = first + second;
    let third = n * -7.5495336e-8f;
    let high = sum + third;
    let lost = sum_error(first, second, sum) + sum_error(sum, third, high);
    let low = lost - n * 2.563344e-12f;
    let r = high + low;
    return vec3<f32>(r, n - 4.0f * floor(n * 0.25f), (high - r) + low);
}

fn sin_rest(r: f32) -> f32 {
    let z = r * r;
    let q = -0.16666667f + z * (0.008333334f + z * (-0.0001984127f + z * (2.7557319e-6f + z * -2.5052108e-8f)));
    return r + r * z * q;
}

fn cos_rest(r: f32) -> f32 {
    let z = r * r;
    let q = 0.041666668f + z * (-0.0013888889f + z * (2.4801588e-5f + z * -2.755732e-7f));
    return 1.0f - (0.5f * z - z * z * q);
}

fn cos(x: f32) -> f32 {
    let turned = quarter(x);
    let sine = sin_rest(turned.x) + turned.z;
    let cosine = cos_rest(turned.x) - turned.x * turned.z;
    let value = select(cosine, sine, turned.y == 1.0f || turned.y == 3.0f);
    return select(value, -value, turned.y == 1.0f || turned.y == 2.0f);
}

// The transformation of Box and Muller.
fn randn_u32(state: u32) -> f32 {
    return sqrt(-2.0f * log(randf_u32(state) + 5.96e-8f)) * cos(6.2831855f * randf_u32(randu_u32(state)));
}

fn randi_range_u32_i32_i32(state: u32, low: i32, high: i32) -> i32 {
    return i32(randu_u32(state) % (u32(high) - u32(low)) + u32(low));
}

fn rand_seed_i32(seed: i32) -> u32 { return randu_u32(u32(seed)); }

fn randi_u32(state: u32) -> i32 { return i32(randu_u32(state)); }

struct Args {
    seed: i32,
    dim: u32,
}

@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read_write> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> n: array<i32>;

@compute @workgroup_size(64)
fn random(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = id.y * (64u * groups.x) + id.x;
    if (i >= args.dim) { return; }
    var rng = rand_init_i32(args.seed, i32(i));
    let a = randf_u32(rng);
    rng = randu_u32(rng);
    x[i] = randf_range_u32_f32_f32(rng, -1.0f, a);
    rng = randu_u32(rng);
    x[i] = randf_range_u32_f32_f32(rng, -1.0f, f32(rng));
    rng = randu_u32(rng);
    let b = randn_u32(rng);
    rng = randu_u32(randu_u32(rng));
    let c = randn_u32(rng);
    rng = randu_u32(rng);
    n[i] = randi_range_u32_i32_i32(rng, 0, 6);
    rng = randu_u32(rng);
    n[i] += randi_u32(randu_u32(rand_seed_i32(args.seed)));
    x[i] = b + c;
}
