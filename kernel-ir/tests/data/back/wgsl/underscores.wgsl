struct Args {
    v__a: f32,
    dim: u32,
}

@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read> v__x: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;

@compute @workgroup_size(64)
fn v__twice(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let v__i = id.y * (64u * groups.x) + id.x;
    if (v__i >= args.dim) { return; }
    let v__v = args.v__a * v__x[v__i];
    y[v__i] = v__v + v__v;
}
