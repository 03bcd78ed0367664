var<storage, read_write> weft_fault: array<atomic<u32>, 10>;

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
