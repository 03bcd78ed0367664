// By bits: a compiler of WGSL may assume that no float is NaN.
fn is_nan(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }

// The other operand, if one is NaN.
fn fmax(a: f32, b: f32) -> f32 { return select(b, a, a > b || is_nan(b)); }

struct Args {
    dim: u32,
}

@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read> n: array<u32>;
@group(0) @binding(2) var<storage, read_write> c: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> f: array<f32>;

@compute @workgroup_size(64)
fn k(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = id.y * (64u * groups.x) + id.x;
    if (i >= args.dim) { return; }
    var bins = array<u32, 8>();
    var own = array<f32, 64>();
    for (var t: u32 = 0u; t < 64u; t++) {
        var old: u32;
        var old_1 = bins[n[i * 64u + t]];
        bins[n[i * 64u + t]] = old_1 + 1u;
        old = old_1;
        own[t] = fmax(own[t], f32(old));
    }
    for (var t: u32 = 0u; t < 64u; t++) {
        if (t < 8u) {
            atomicAdd(&c[t], bins[t]);
        }
        f[i] = own[t];
    }
}
