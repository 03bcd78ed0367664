// Towards zero; the nearest u32 where out of range, 0 for NaN.
fn to_usize(x: f32) -> u32 {
    if (!(x > 0.0f)) { return 0u; }
    if (x >= 4294967296.0f) { return 4294967295u; }
    return u32(x);
}

// By bits: a compiler of WGSL may assume that no float is NaN.
fn is_nan(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }

struct Args {
    y_len: u32,
    dim: u32,
}

@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read_write> y: array<atomic<u32>>;
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

fn weft_stored_y(at: u32) {
    if (is_nan(bitcast<f32>(atomicLoad(&y[at])))) { weft_report(2u, 0u, 0u, 0u, 0u); }
}

// The bits are exchanged until no other thread has come between. Returns the value from before.
fn atomic_add_y(at: u32, value: f32) -> f32 {
    var seen = atomicLoad(&y[at]);
    loop {
        let exchange = atomicCompareExchangeWeak(&y[at], seen, bitcast<u32>(bitcast<f32>(seen) + value));
        if (exchange.exchanged) { break; }
        seen = exchange.old_value;
    }
    return bitcast<f32>(seen);
}

@compute @workgroup_size(64)
fn hop(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = id.y * (64u * groups.x) + id.x;
    if (i >= args.dim) { return; }
    weft_thread = array(i, 0u, 0u, 0u);
    let at = weft_at(
        true,
        0u,
        0u,
        to_usize(bitcast<f32>(atomicLoad(&y[weft_at(true, 0u, 0u, 0u, args.y_len)]))),
        args.y_len,
    );
    atomicStore(&y[at], bitcast<u32>(7.0f));
    weft_stored_y(at);
    let at_1 = weft_at(
        true,
        0u,
        0u,
        to_usize(bitcast<f32>(atomicLoad(&y[weft_at(true, 0u, 0u, 1u, args.y_len)]))),
        args.y_len,
    );
    let before = atomic_add_y(at_1, 1.0f);
    weft_stored_y(at_1);
    let at_2 = weft_at(true, 0u, 0u, 0u, args.y_len);
    atomicStore(&y[at_2], bitcast<u32>(before));
    weft_stored_y(at_2);
}
