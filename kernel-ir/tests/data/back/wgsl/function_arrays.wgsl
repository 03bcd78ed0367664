struct Args {
    a_len: u32,
    m_shape1: u32,
    dim: u32,
}

@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> m: array<f32>;
@group(0) @binding(3) var<storage, read> b: array<f32>;
@group(0) @binding(4) var<storage, read_write> y: array<f32>;

fn last_a() -> f32 {
    return a[args.a_len - 1u];
}

fn corner_m_a(i: u32) -> f32 {
    return m[i * args.m_shape1 + i] + last_a();
}

@compute @workgroup_size(64)
fn k(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = id.y * (64u * groups.x) + id.x;
    if (i >= args.dim) { return; }
    y[i] = corner_m_a(i) + b[i];
}
