struct Args {
    fixed: u32,
    grid_shape1: u32,
    dim: u32,
}

@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> mask: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> grid: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> out: array<u32>;

fn store_mask(index: u32, value: bool) {
    let first = index;
    atomicAnd(&mask[first >> 2u], ~(0xffu << (8u * (first & 3u))));
    atomicOr(&mask[first >> 2u], (u32(value) & 0xffu) << (8u * (first & 3u)));
}

fn load_grid(index: u32) -> bool {
    let first = index;
    return extractBits(atomicLoad(&grid[first >> 2u]), 8u * (first & 3u), 8u) != 0u;
}

fn load_mask(index: u32) -> bool {
    let first = index;
    return extractBits(atomicLoad(&mask[first >> 2u]), 8u * (first & 3u), 8u) != 0u;
}

fn store_grid(index: u32, value: bool) {
    let first = index;
    atomicAnd(&grid[first >> 2u], ~(0xffu << (8u * (first & 3u))));
    atomicOr(&grid[first >> 2u], (u32(value) & 0xffu) << (8u * (first & 3u)));
}

@compute @workgroup_size(64)
fn k(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = id.y * (64u * groups.x) + id.x;
    if (i >= args.dim) { return; }
    store_mask(i, x[i] > 0.0f || args.fixed != 0u);
    store_mask(i, load_mask(i) && !load_grid(i * args.grid_shape1));
    store_mask(i, load_mask(i) != true);
    store_grid(i * args.grid_shape1 + 1u, load_mask(i) == load_grid(i * args.grid_shape1));
    let kept = load_grid(i * args.grid_shape1 + 1u);
    store_grid(i * args.grid_shape1, false);
    if (load_mask(i) && kept) {
        out[i] = u32(load_mask(i)) + 1u;
    }
}
