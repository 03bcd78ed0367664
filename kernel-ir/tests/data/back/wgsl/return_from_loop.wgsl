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
    let x_shape1 = args.x_shape1;
    let limit = args.limit;
    for (var k: u32 = 0u; k < x_shape1; k++) {
        if (x[i * x_shape1 + k] > limit) {
            out[i] = k;
            return;
        }
    }
}
