fn abs_diff_u16(a: u32, b: u32) -> u32 { return select(b - a, a - b, a > b); }

fn clamp_u16(x: u32, low: u32, high: u32) -> u32 {
    if (x < low) { return low; }
    if (x > high) { return high; }
    return x;
}

struct Args {
    n: u32,
    dim: u32,
}

@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read> a: array<u32>;
@group(0) @binding(2) var<storage, read> b: array<u32>;
@group(0) @binding(3) var<storage, read_write> bytes: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> words: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> words_2: array<atomic<u32>>;

fn store_bytes(index: u32, value: u32) {
    let first = index;
    atomicAnd(&bytes[first >> 2u], ~(0xffu << (8u * (first & 3u))));
    atomicOr(&bytes[first >> 2u], (u32(value) & 0xffu) << (8u * (first & 3u)));
}

fn load_bytes(index: u32) -> u32 {
    let first = index;
    return extractBits(atomicLoad(&bytes[first >> 2u]), 8u * (first & 3u), 8u);
}

fn load_a(index: u32) -> i32 {
    let first = index;
    return extractBits(bitcast<i32>(a[first >> 2u]), 8u * (first & 3u), 8u);
}

fn store_words(index: u32, value: i32) {
    let first = index * 2u;
    atomicAnd(&words[first >> 2u], ~(0xffffu << (8u * (first & 3u))));
    atomicOr(&words[first >> 2u], (u32(value) & 0xffffu) << (8u * (first & 3u)));
}

fn load_words(index: u32) -> i32 {
    let first = index * 2u;
    return extractBits(bitcast<i32>(atomicLoad(&words[first >> 2u])), 8u * (first & 3u), 16u);
}

fn load_b(index: u32) -> u32 {
    let first = index * 2u;
    return extractBits(b[first >> 2u], 8u * (first & 3u), 16u);
}

fn store_words_2(index: u32, value: u32) {
    let first = index * 2u;
    atomicAnd(&words_2[first >> 2u], ~(0xffffu << (8u * (first & 3u))));
    atomicOr(&words_2[first >> 2u], (u32(value) & 0xffffu) << (8u * (first & 3u)));
}

fn load_words_2(index: u32) -> u32 {
    let first = index * 2u;
    return extractBits(atomicLoad(&words_2[first >> 2u]), 8u * (first & 3u), 16u);
}

@compute @workgroup_size(64)
fn narrow(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = id.y * (64u * groups.x) + id.x;
    if (i >= args.dim) { return; }
    let n = args.n;
    store_bytes(i, (args.n + 200u) >> 1u);
    store_bytes(i, select(9u, args.n, args.n > 9u));
    store_bytes(i, min(args.n, 5u));
    store_bytes(i, load_bytes(i) + extractBits(~args.n, 0u, 8u));
    store_words(i, extractBits(load_a(i) * -300, 0u, 16u));
    store_words(i, extractBits(load_words(i) << 2u, 0u, 16u));
    store_words_2(i, extractBits(load_b(i) * 40503u, 0u, 16u));
    store_words_2(i, clamp_u16(abs_diff_u16(load_b(i), 7u), 1u, load_b(i) / 2u));
    for (var k: u32 = 0u; k < n; k++) {
        store_bytes(k, extractBits(u32(-load_a(i)), 0u, 8u));
    }
    let k_start: i32 = -100;
    let k_end: i32 = 100;
    let k_step = u32(3u);
    {
        var k: i32 = k_end;
        var more = k_start <= k_end;
        loop {
            if (!more) { break; }
            store_words(i, load_words(i) - k);
            continuing {
                more = u32(k) - u32(k_start) >= k_step;
                k -= i32(k_step);
            }
        }
    }
    let k_start_1: u32 = load_b(i);
    let k_end_1: u32 = 65535u;
    {
        var k: u32 = k_start_1;
        var more_1 = k_start_1 <= k_end_1;
        loop {
            if (!more_1) { break; }
            store_words_2(i, load_words_2(i) ^ k);
            continuing {
                more_1 = u32(k_end_1) - u32(k) >= 1u;
                k += u32(1u);
            }
        }
    }
}
