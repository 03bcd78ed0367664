// By bits: a compiler of WGSL may assume that no float is NaN.
fn is_nan(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }

struct Args {
    x_len: u32,
    mask_present: u32,
    mask_len: u32,
    grid_present: u32,
    grid_shape0: u32,
    grid_shape1: u32,
    y_len: u32,
    out_present: u32,
    out_len: u32,
    loss_present: u32,
    loss_len: u32,
    dim: u32,
}

@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> mask: array<u32>;
@group(0) @binding(3) var<storage, read> grid: array<f32>;
@group(0) @binding(4) var<storage, read_write> y: array<f32>;
@group(0) @binding(5) var<storage, read_write> out: array<f32>;
@group(0) @binding(6) var<storage, read_write> loss: array<atomic<u32>>;
@group(0) @binding(7) var<storage, read_write> weft_fault: array<atomic<u32>, 10>;

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
    if (is_nan(y[at])) { weft_report(2u, 3u, 0u, 0u, 0u); }
}

fn weft_stored_out(at: u32) {
    if (is_nan(out[at])) { weft_report(2u, 4u, 0u, 0u, 0u); }
}

// The bits are exchanged until no other thread has come between. Returns the value from before.
fn atomic_add_loss(at: u32, value: f32) -> f32 {
    var seen = atomicLoad(&loss[at]);
    loop {
        let exchange = atomicCompareExchangeWeak(&loss[at], seen, bitcast<u32>(bitcast<f32>(seen) + value));
        if (exchange.exchanged) { break; }
        seen = exchange.old_value;
    }
    return bitcast<f32>(seen);
}

fn weft_stored_loss(at: u32) {
    if (is_nan(bitcast<f32>(atomicLoad(&loss[at])))) { weft_report(2u, 5u, 0u, 0u, 0u); }
}

@compute @workgroup_size(64)
fn k(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = id.y * (64u * groups.x) + id.x;
    if (i >= args.dim) { return; }
    weft_thread = array(i, 0u, 0u, 0u);
    if (args.mask_present != 0u && mask[weft_at(true, 1u, 0u, i, args.mask_len)] != 0u) {
        return;
    }
    let w = select(
        1.0f,
        grid[
            weft_at(args.grid_present != 0u, 2u, 0u, i, args.grid_shape0) * args.grid_shape1
            + weft_at(args.grid_present != 0u, 2u, 1u, 1u, args.grid_shape1)
        ],
        args.grid_present != 0u,
    );
    let all = args.mask_present != 0u && args.grid_present != 0u;
    if (all == (args.out_present != 0u)) {
        let at = weft_at(true, 3u, 0u, i, args.y_len);
        y[at] = w;
        weft_stored_y(at);
    }
    if (args.out_present == 0u) {
        let at_1 = weft_at(true, 3u, 0u, i, args.y_len);
        y[at_1] = x[weft_at(true, 0u, 0u, i, args.x_len)];
        weft_stored_y(at_1);
        return;
    }
    let at_2 = weft_at(true, 4u, 0u, i, args.out_len);
    out[at_2] = w * x[weft_at(true, 0u, 0u, i, args.x_len)] + f32(args.out_len);
    weft_stored_out(at_2);
    if (args.loss_present != 0u) {
        let at_3 = weft_at(true, 5u, 0u, 0u, args.loss_len);
        atomic_add_loss(at_3, x[weft_at(true, 0u, 0u, i, args.x_len)]);
        weft_stored_loss(at_3);
    }
}
