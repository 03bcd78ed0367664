struct Args {
    out_shape1: u32,
    out_shape2: u32,
    out_shape3: u32,
    dim0: u32,
    dim1: u32,
    dim2: u32,
    dim3: u32,
}

@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn fill(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let thread = id.y * (64u * groups.x) + id.x;
    if (thread >= args.dim0 * args.dim1 * args.dim2 * args.dim3) { return; }
    let rows = thread / args.dim3;
    let l = thread - rows * args.dim3;
    let rows_1 = rows / args.dim2;
    let k = rows - rows_1 * args.dim2;
    let i = rows_1 / args.dim1;
    let j = rows_1 - i * args.dim1;
    out[((i * args.out_shape1 + j) * args.out_shape2 + k) * args.out_shape3 + l] = -0.25f;
}
