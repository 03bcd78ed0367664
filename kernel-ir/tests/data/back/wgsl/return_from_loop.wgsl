struct Args {
    limit: f32,
    x_shape1: u32,
    dim: u32,
}

@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn first_above(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = id.y * (64u * groups.x) + id.x;
    if (i >= args.dim) { return; }
    for (var k: u32 = 0u; k < args.x_shape1; k++) {
        if (x[i * args.x_shape1 + k] > args.limit) {
            out[i] = k;
            return;
        }
    }
}
