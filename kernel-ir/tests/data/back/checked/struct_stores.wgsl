// By bits: a compiler of WGSL may assume that no float is NaN.
fn is_nan(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }

// By bits: a compiler of WGSL may assume that no float is NaN.
fn is_nan_f64(x: f64) -> bool { return (bitcast<u64>(x) & 0x7ffffffffffffffflu) > 0x7ff0000000000000lu; }

struct Reading {
    channel: u32,
    value: f32,
    at: vec3<f64>,
}

struct Args {
    readings_len: u32,
    new__0: u32,
    new__1: f32,
    new__2: vec3<f64>,
    dim: u32,
}

@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read_write> readings: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read_write> weft_fault: array<atomic<u32>, 10>;

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

fn store_readings_u8(at: u32, value: u32) {
    let first = at;
    atomicAnd(&readings[first >> 2u], ~(0xffu << (8u * (first & 3u))));
    atomicOr(&readings[first >> 2u], (u32(value) & 0xffu) << (8u * (first & 3u)));
}

fn weft_stored_readings(at: u32) {
    if (is_nan(bitcast<f32>(atomicLoad(&readings[(at + 4u) >> 2u]))) || is_nan_f64(bitcast<f64>((u64(atomicLoad(&readings[(at + 8u) >> 2u])) | (u64(atomicLoad(&readings[((at + 8u) >> 2u) + 1u])) << 32u)))) || is_nan_f64(bitcast<f64>((u64(atomicLoad(&readings[(at + 16u) >> 2u])) | (u64(atomicLoad(&readings[((at + 16u) >> 2u) + 1u])) << 32u)))) || is_nan_f64(bitcast<f64>((u64(atomicLoad(&readings[(at + 24u) >> 2u])) | (u64(atomicLoad(&readings[((at + 24u) >> 2u) + 1u])) << 32u))))) {
        weft_report(2u, 0u, 0u, 0u, 0u);
    }
}

fn store_readings_Reading(at: u32, value: Reading) {
    let first = at;
    atomicAnd(&readings[first >> 2u], ~(0xffu << (8u * (first & 3u))));
    atomicOr(&readings[first >> 2u], (u32(value.channel) & 0xffu) << (8u * (first & 3u)));
    atomicStore(&readings[(first + 4u) >> 2u], bitcast<u32>(value.value));
    atomicStore(&readings[(first + 8u) >> 2u], u32(bitcast<u64>(value.at.x) & 0xfffffffflu));
    atomicStore(&readings[((first + 8u) >> 2u) + 1u], u32(bitcast<u64>(value.at.x) >> 32u));
    atomicStore(&readings[(first + 16u) >> 2u], u32(bitcast<u64>(value.at.y) & 0xfffffffflu));
    atomicStore(&readings[((first + 16u) >> 2u) + 1u], u32(bitcast<u64>(value.at.y) >> 32u));
    atomicStore(&readings[(first + 24u) >> 2u], u32(bitcast<u64>(value.at.z) & 0xfffffffflu));
    atomicStore(&readings[((first + 24u) >> 2u) + 1u], u32(bitcast<u64>(value.at.z) >> 32u));
}

@compute @workgroup_size(64)
fn k(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = id.y * (64u * groups.x) + id.x;
    if (i >= args.dim) { return; }
    weft_thread = array(i, 0u, 0u, 0u);
    let new_ = Reading(args.new__0, args.new__1, args.new__2);
    let at = weft_at(true, 0u, 0u, i, args.readings_len) * 32u;
    store_readings_u8(at, 255u);
    weft_stored_readings(at);
    let at_1 = weft_at(true, 0u, 0u, i, args.readings_len) * 32u;
    store_readings_Reading(at_1, new_);
    weft_stored_readings(at_1);
}
