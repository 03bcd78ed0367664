// The value of a float of 16 bits.
fn value_of_f16(bits: u32) -> f32 {
    let size = bits & 0x7fffu;
    // Below the normal numbers, the bits count the smallest number, 2^-24.
    let subnormal = bitcast<u32>(f32(size) * 5.9604645e-8f);
    let normal = (size << 13u) + select(0x70000000u, 0x38000000u, size < 0x7c00u);
    return bitcast<f32>(((bits & 0x8000u) << 16u) | select(normal, subnormal, size < 0x0400u));
}

// The bits of the nearest float of 16 bits; of two, the even one.
fn bits_of_f16(x: f32) -> u32 {
    let bits = bitcast<u32>(x);
    let sign = (bits >> 16u) & 0x8000u;
    let size = bits & 0x7fffffffu;
    if (size > 0x7f800000u) { return 0x7fffu; }
    // 65520 and more round to infinity.
    if (size >= 0x477ff000u) { return sign | 0x7c00u; }
    if (size >= 0x38800000u) { return sign | ((size - 0x38000000u + 0x0fffu + ((size >> 13u) & 1u)) >> 13u); }
    // Less than half of the smallest number.
    if (size < 0x33000000u) { return sign; }
    let digits = (size & 0x7fffffu) | 0x800000u;
    let shift = 126u - (size >> 23u);
    return sign | ((digits + (1u << (shift - 1u)) - 1u + ((digits >> shift) & 1u)) >> shift);
}

// The nearest value of a float of 16 bits.
fn rounded_to_f16(x: f32) -> f32 { return value_of_f16(bits_of_f16(x)); }

// The upper half of the bits, rounded to the nearest; of two, to the even one.
fn bits_of_bf16(x: f32) -> u32 {
    let bits = bitcast<u32>(x);
    if ((bits & 0x7fffffffu) > 0x7f800000u) { return 0x7fffu; }
    return (bits + 0x7fffu + ((bits >> 16u) & 1u)) >> 16u;
}

// The value of the upper half of a float.
fn value_of_bf16(bits: u32) -> f32 { return bitcast<f32>(bits << 16u); }

// The nearest value of a float of 16 bits.
fn rounded_to_bf16(x: f32) -> f32 { return value_of_bf16(bits_of_bf16(x)); }

// By bits: a compiler of WGSL may assume that every float is finite.
fn is_finite(x: f32) -> bool { return (bitcast<u32>(x) & 0x7f800000u) != 0x7f800000u; }

// No constant of WGSL is NaN or infinite.
fn infinity() -> f32 {
    var bits = 0x7f800000u;
    return bitcast<f32>(bits);
}

// The adjoint `g` times a derivative; nothing comes of an adjoint that is zero, whatever the derivative is.
fn strong_mul(g: f32, d: f32) -> f32 { return select(g * d, 0.0f, g == 0.0f); }

struct Args {
    a: f32,
    dim: u32,
}

@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read> x: array<u32>;
@group(0) @binding(2) var<storage, read_write> y: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> z: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> sums: array<atomic<u32>>;

fn load_x(index: u32) -> f32 {
    let first = index * 2u;
    return value_of_f16(extractBits(x[first >> 2u], 8u * (first & 3u), 16u));
}

fn load_y(index: u32) -> f32 {
    let first = index * 2u;
    return value_of_f16(extractBits(atomicLoad(&y[first >> 2u]), 8u * (first & 3u), 16u));
}

fn store_y(index: u32, value: f32) {
    let first = index * 2u;
    atomicAnd(&y[first >> 2u], ~(0xffffu << (8u * (first & 3u))));
    atomicOr(&y[first >> 2u], bits_of_f16(value) << (8u * (first & 3u)));
}

fn store_z(index: u32, value: f32) {
    let first = index * 2u;
    atomicAnd(&z[first >> 2u], ~(0xffffu << (8u * (first & 3u))));
    atomicOr(&z[first >> 2u], bits_of_bf16(value) << (8u * (first & 3u)));
}

fn load_z(index: u32) -> f32 {
    let first = index * 2u;
    return value_of_bf16(extractBits(atomicLoad(&z[first >> 2u]), 8u * (first & 3u), 16u));
}

// The bits are exchanged until no other thread has come between. Returns the value from before.
fn atomic_add_sums(at: u32, value: f32) -> f32 {
    let first = 8u * (at & 3u);
    var seen = atomicLoad(&sums[at >> 2u]);
    loop {
        let exchange = atomicCompareExchangeWeak(
            &sums[at >> 2u],
            seen,
            insertBits(seen, bits_of_bf16(value_of_bf16(extractBits(seen, first, 16u)) + value), first, 16u),
        );
        if (exchange.exchanged) { break; }
        seen = exchange.old_value;
    }
    return value_of_bf16(extractBits(seen, first, 16u));
}

// The bits are exchanged until no other thread has come between. Returns the value from before.
fn atomic_sub_sums(at: u32, value: f32) -> f32 {
    let first = 8u * (at & 3u);
    var seen = atomicLoad(&sums[at >> 2u]);
    loop {
        let exchange = atomicCompareExchangeWeak(
            &sums[at >> 2u],
            seen,
            insertBits(seen, bits_of_bf16(value_of_bf16(extractBits(seen, first, 16u)) - value), first, 16u),
        );
        if (exchange.exchanged) { break; }
        seen = exchange.old_value;
    }
    return value_of_bf16(extractBits(seen, first, 16u));
}

@compute @workgroup_size(64)
fn half(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = id.y * (64u * groups.x) + id.x;
    if (i >= args.dim) { return; }
    let h = load_x(i);
    let wide = h;
    store_y(i, rounded_to_f16(load_y(i) + rounded_to_f16(args.a * h)));
    store_y(i, rounded_to_f16(rounded_to_f16(load_y(i) - 0.5f) / rounded_to_f16(-h)));
    store_z(i, rounded_to_bf16(wide * 2.0f));
    if (h < args.a && is_finite(h)) {
        store_z(i, infinity());
    }
    var local = array<f32, 2>();
    local[1u] = select(1.0f, h, args.a == 0.0f);
    store_y(i, rounded_to_f16(load_y(i) - local[1u]));
    atomic_add_sums(0u, load_z(i));
    atomic_sub_sums(1u * 2u, rounded_to_bf16(strong_mul(load_z(i), 3.0f)));
}
