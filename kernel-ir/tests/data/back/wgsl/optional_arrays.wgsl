struct Args {
    mask_present: u32,
    grid_present: u32,
    grid_shape1: u32,
    out_present: u32,
    out_len: u32,
    loss_present: u32,
    dim: u32,
}

@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> mask: array<u32>;
@group(0) @binding(3) var<storage, read> grid: array<f32>;
@group(0) @binding(4) var<storage, read_write> y: array<f32>;
@group(0) @binding(5) var<storage, read_write> out: array<f32>;
@group(0) @binding(6) var<storage, read_write> loss: array<atomic<u32>>;

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

var<workgroup> parts_of_f32: array<f32, 64>;

// Adds what the threads of a workgroup have, by one atomic operation: 8 threads add up a column each, and one of them adds
// up the columns. All threads of the workgroup come here.
fn workgroup_add_loss(at: u32, value: f32, thread: u32) {
    parts_of_f32[thread] = value;
    workgroupBarrier();
    if (thread < 8u) {
        var sum = value;
        for (var other = thread + 8u; other < 64u; other += 8u) { sum += parts_of_f32[other]; }
        parts_of_f32[thread] = sum;
    }
    workgroupBarrier();
    if (thread == 0u) {
        var sum = parts_of_f32[0];
        for (var other = 1u; other < 8u; other++) { sum += parts_of_f32[other]; }
        if (!(sum == f32())) { atomic_add_loss(at, sum); }
    }
    // The next sum is put in the same place.
    workgroupBarrier();
}

@compute @workgroup_size(64)
fn k(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) member: u32,
) {
    var loss_sum: f32;
    let dim = args.dim;
    let mask_present = args.mask_present;
    let grid_present = args.grid_present;
    let grid_shape1 = args.grid_shape1;
    let out_present = args.out_present;
    let out_len = args.out_len;
    let loss_present = args.loss_present;
    for (var i = id.y * (64u * groups.x) + id.x; i < dim; i += 64u * groups.x * groups.y) {
        if (!(mask_present != 0u && mask[i] != 0u)) {
            let w = select(1.0f, grid[i * grid_shape1 + 1u], grid_present != 0u);
            let all = mask_present != 0u && grid_present != 0u;
            if (all == (out_present != 0u)) {
                y[i] = w;
            }
            if (out_present == 0u) {
                y[i] = x[i];
            } else {
                out[i] = w * x[i] + f32(out_len);
                if (loss_present != 0u) {
                    loss_sum += x[i];
                }
            }
        }
    }
    if (args.loss_present != 0u) {
        workgroup_add_loss(0u, loss_sum, member);
    }
}
