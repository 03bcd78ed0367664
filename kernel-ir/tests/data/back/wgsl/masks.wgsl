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

fn store_grid(index: u32, value: bool) {
    let first = index;
    atomicAnd(&grid[first >> 2u], ~(0xffu << (8u * (first & 3u))));
    atomicOr(&grid[first >> 2u], (u32(value) & 0xffu) << (8u * (first & 3u)));
}

@compute @workgroup_size(64)
fn k(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = id.y * (64u * groups.x) + id.x;
    if (i >= args.dim) { return; }
    store_mask(i, (x[i] > 0.0f || args.fixed != 0u));
    store_mask(
        i,
        (
            extractBits(atomicLoad(&mask[i >> 2u]), 8u * (i & 3u), 8u) != 0u
            && !(
                extractBits(atomicLoad(&grid[(i * args.grid_shape1) >> 2u]), 8u * ((i * args.grid_shape1) & 3u), 8u)
                != 0u
            )
        ),
    );
    store_mask(i, ((extractBits(atomicLoad(&mask[i >> 2u]), 8u * (i & 3u), 8u) != 0u) != true));
    store_grid(
        i * args.grid_shape1 + 1u,
        (
            (extractBits(atomicLoad(&mask[i >> 2u]), 8u * (i & 3u), 8u) != 0u)
            == (
                extractBits(atomicLoad(&grid[(i * args.grid_shape1) >> 2u]), 8u * ((i * args.grid_shape1) & 3u), 8u)
                != 0u
            )
        ),
    );
    let kept = extractBits(
        atomicLoad(&grid[(i * args.grid_shape1 + 1u) >> 2u]),
        8u * ((i * args.grid_shape1 + 1u) & 3u),
        8u,
    )
        != 0u;
    store_grid(i * args.grid_shape1, false);
    if (extractBits(atomicLoad(&mask[i >> 2u]), 8u * (i & 3u), 8u) != 0u && kept) {
        out[i] = u32((extractBits(atomicLoad(&mask[i >> 2u]), 8u * (i & 3u), 8u) != 0u)) + 1u;
    }
}
