// By bits: a compiler of WGSL may assume that no float is NaN.
fn is_nan(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }

// The other operand, if one is NaN.
fn fmin(a: f32, b: f32) -> f32 { return select(b, a, a < b || is_nan(b)); }

struct Args {
    dim: u32,
}

@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read_write> count: array<atomic<i32>>;
@group(0) @binding(2) var<storage, read_write> low: array<atomic<u32>>;

// The bits are exchanged until no other thread has come between. Returns the value from before.
fn atomic_min_low(at: u32, value: f32) -> f32 {
    var seen = atomicLoad(&low[at]);
    loop {
        let exchange = atomicCompareExchangeWeak(&low[at], seen, bitcast<u32>(fmin(bitcast<f32>(seen), value)));
        if (exchange.exchanged) { break; }
        seen = exchange.old_value;
    }
    return bitcast<f32>(seen);
}

@compute @workgroup_size(64)
fn claim(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = id.y * (64u * groups.x) + id.x;
    if (i >= args.dim) { return; }
    let old = atomicAdd(&count[0u], 1);
    atomic_min_low(i, f32(old));
    atomicAdd(&count[0u], 1);
}
