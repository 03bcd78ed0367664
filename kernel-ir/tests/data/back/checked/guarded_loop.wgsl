struct Args {
    n_len: u32,
    most_len: u32,
    count_len: u32,
    dim: u32,
}

@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read> n: array<u32>;
@group(0) @binding(2) var<storage, read> most: array<u32>;
@group(0) @binding(3) var<storage, read_write> count: array<u32>;
@group(0) @binding(4) var<storage, read_write> weft_fault: array<atomic<u32>, 10>;

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

fn steps_most(counts: bool, start: u32) -> u32 {
    if (!counts) { return u32(); }
    var n_ = start;
    var count_ = 0u;
    while (n_ != 1u && count_ < most[weft_at(true, 1u, 0u, 0u, args.most_len)]) {
        n_ = select(3u * n_ + 1u, n_ / 2u, n_ % 2u == 0u);
        count_ += 1u;
    }
    return count_;
}

fn known_most(counts: bool, n_: u32) -> u32 {
    if (!counts) { return u32(); }
    return select(0u, steps_most(n_ > 0u, n_) + 1u, n_ > 0u);
}

/// The side that is not chosen must not run its loop.
@compute @workgroup_size(64)
fn collatz(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = id.y * (64u * groups.x) + id.x;
    if (i >= args.dim) { return; }
    weft_thread = array(i, 0u, 0u, 0u);
    let chosen = n[weft_at(true, 0u, 0u, i, args.n_len)] == 7u;
    let chosen_1 = n[weft_at(!chosen, 0u, 0u, i, args.n_len)] > 7u;
    let other = select(
        select(
            known_most(!chosen && !chosen_1, n[weft_at(!chosen && !chosen_1, 0u, 0u, i, args.n_len)]),
            steps_most(!chosen && chosen_1, n[weft_at(!chosen && chosen_1, 0u, 0u, i, args.n_len)]),
            chosen_1,
        ),
        0u,
        chosen,
    );
    count[weft_at(true, 2u, 0u, i, args.count_len)] = other + steps_most(true, 27u);
}
