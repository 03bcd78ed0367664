// By bits: a compiler of WGSL may assume that no float is NaN.
fn is_nan_f64(x: f64) -> bool { return (bitcast<u64>(x) & 0x7ffffffffffffffflu) > 0x7ff0000000000000lu; }

// No constant of WGSL is NaN or infinite.
fn infinity_f64() -> f64 {
    var bits = 0x7ff0000000000000lu;
    return bitcast<f64>(bits);
}

// The remainder of `x + low` by ln 2, the nearest multiple, and what the remainder lacks.
fn log_of_2_f64(x: f64, low: f64) -> vec3<f64> {
    let n = floor(x * 1.4426950408889634lf + 0.5lf);
    // ln 2 in two parts, the first of which has so few digits that its product with `n` is exact.
    let high = x - n * 0.6931471803691238lf;
    let part = n * 1.9082149292705877e-10lf - low;
    let r = high - part;
    return vec3<f64>(r, n, (high - r) - part);
}

// e raised to `r`, minus one, by the Taylor series; |r| is at most half of ln 2.
fn exp_rest_f64(r: f64) -> f64 {
    var series = 1.0lf;
    for (var k = 15; k > 2; k--) { series = 1.0lf + r * series / f64(k); }
    return r + r * r * (0.5lf * series);
}

// `x` times two to the power of `n`, in two factors that are normal numbers.
fn scale_f64_i32(x: f64, n: i32) -> f64 {
    let half = n >> 1u;
    return x * bitcast<f64>(u64(half + 1023) << 52u) * bitcast<f64>(u64(n - half + 1023) << 52u);
}

// e raised to `x + low`. WGSL has no such function of `f64`.
fn exp_sum_f64(x: f64, low: f64) -> f64 {
    if (is_nan_f64(x)) { return x; }
    if (x > 710.0lf) { return infinity_f64(); }
    if (x < -746.0lf) { return 0.0lf; }
    let parts = log_of_2_f64(x, low);
    return scale_f64_i32(1.0lf + (exp_rest_f64(parts.x) + parts.z), i32(parts.y));
}

fn exp_f64(x: f64) -> f64 { return exp_sum_f64(x, 0.0lf); }

struct Args {
    x: f64,
    int: f64,
    dim: u32,
}

@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read_write> out: array<f64>;

@compute @workgroup_size(64)
fn exp(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = id.y * (64u * groups.x) + id.x;
    if (i >= args.dim) { return; }
    let exp_1 = exp_f64(args.x);
    let y0 = exp_1 + args.int;
    out[i] = y0;
}
