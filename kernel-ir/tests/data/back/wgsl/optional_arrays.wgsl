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

@compute @workgroup_size(64)
fn k(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = id.y * (64u * groups.x) + id.x;
    if (i >= args.dim) { return; }
    if (args.mask_present != 0u && mask[i] != 0u) {
        return;
    }
    let w = select(1.0f, grid[i * args.grid_shape1 + 1u], args.grid_present != 0u);
    let all = args.mask_present != 0u && args.grid_present != 0u;
    if (all == (args.out_present != 0u)) {
        y[i] = w;
    }
    if (args.out_present == 0u) {
        y[i] = x[i];
        return;
    }
    out[i] = w * x[i] + f32(args.out_len);
    if (args.loss_present != 0u) {
        atomic_add_loss(0u, x[i]);
    }
}
