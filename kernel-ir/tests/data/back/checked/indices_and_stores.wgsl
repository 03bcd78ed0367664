// By bits: a compiler of WGSL may assume that no float is NaN.
fn is_nan(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }

struct Args {
    a: f32,
    x_len: u32,
    grid_shape0: u32,
    grid_shape1: u32,
    dim0: u32,
    dim1: u32,
}

@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> grid: array<f32>;
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

fn weft_stored_grid(at: u32) {
    if (is_nan(grid[at]) || is_nan(grid[at + 1u])) { weft_report(2u, 2u, 0u, 0u, 0u); }
}

@compute @workgroup_size(64)
fn shift(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let thread = id.y * (64u * groups.x) + id.x;
    if (thread >= args.dim0 * args.dim1) { return; }
    let i = thread / args.dim1;
    let j = thread - i * args.dim1;
    weft_thread = array(i, j, 0u, 0u);
    let at = (
        weft_at(true, 2u, 0u, i, args.grid_shape0) * args.grid_shape1 + weft_at(true, 2u, 1u, j, args.grid_shape1)
    )
        * 2u;
    grid[at] += args.a * x[weft_at(true, 1u, 0u, j + 1u, args.x_len)];
    weft_stored_grid(at);
}
