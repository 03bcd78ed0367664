// By bits: a compiler of WGSL may assume that no float is NaN.
fn is_nan(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }

struct Args {
    x_len: u32,
    sums_1_len: u32,
    dim: u32,
}

@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> sums_1: array<f32>;
@group(0) @binding(3) var<storage, read_write> weft_fault: array<atomic<u32>, 10>;

/// The index of the thread along each axis.
var<private> weft_thread: array<u32, 4>;

/// Records the first fault of the launch: 1 is an index out of bounds, 2 a NaN that is stored.
fn weft_report(kind: u32, param: u32, axis: u32, index: u32, extent: u32) {
    if (atomicExchange(&weft_fault[0], 1u) != 0u) { return; }
    // The rest of the record is read when the launch is over.
    atomicStore(&weft_fault[1], kind);
    atomicStore(&weft_fault[2], param);
    atomicStore(&weft_fault[3], axis);
    atomicStore(&weft_fault[4], index);
    atomicStore(&weft_fault[5], extent);
    for (var k = 0u; k < 4u; k++) { atomicStore(&weft_fault[6u + k], weft_thread[k]); }
}

/// An index within bounds: the one asked for, or 0. Whether it `counts` decides about a report: where an `if` expression
/// chooses the other side, it does not.
fn weft_at(counts: bool, param: u32, axis: u32, index: u32, extent: u32) -> u32 {
    if (index < extent) { return index; }
    if (counts) { weft_report(1u, param, axis, index, extent); }
    return 0u;
}

fn weft_stored_sums_1(at: u32) {
    if (is_nan(sums_1[at])) { weft_report(2u, 1u, 0u, 0u, 0u); }
}

@compute @workgroup_size(64)
fn sums(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = id.y * (64u * groups.x) + id.x;
    if (i >= args.dim) { return; }
    weft_thread = array(i, 0u, 0u, 0u);
    let x_len = args.x_len;
    var acc = array<f32, 64>();
    var line = array<f32, 64>();
    for (var t: u32 = 0u; t < 64u; t++) {
        acc[weft_at(true, 4294967295u, 0u, t, 64u)] = x[weft_at(true, 0u, 0u, i * 64u + t, x_len)];
    }
    for (var t: u32 = 0u; t < 64u; t++) {
        line[weft_at(true, 4294967295u, 0u, t, 64u)] = acc[weft_at(true, 4294967295u, 0u, t, 64u)];
    }
    var half = 32u;
    while (half > 0u) {
        for (var t: u32 = 0u; t < 64u; t++) {
            if (t < half) {
                line[weft_at(true, 4294967295u, 0u, t, 64u)] += line[weft_at(true, 4294967295u, 0u, t + half, 64u)];
            }
        }
        half /= 2u;
    }
    let at = weft_at(true, 1u, 0u, i, args.sums_1_len);
    sums_1[at] = line[0u];
    weft_stored_sums_1(at);
}
