fn dot_vec3(a: vec3f, b: vec3f) -> f32 { return a.x * b.x + a.y * b.y + a.z * b.z; }

fn length_vec3(v: vec3f) -> f32 { return sqrt(dot_vec3(v, v)); }

struct Args {
    normal: vec3f,
    dim: u32,
}

@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read_write> v: array<f32>;

fn load_v(index: u32) -> vec3f {
    let first = index * 3u;
    return vec3f(v[first], v[first + 1u], v[first + 2u]);
}

fn store_v(index: u32, value: vec3f) {
    let first = index * 3u;
    v[first] = value.x;
    v[first + 1u] = value.y;
    v[first + 2u] = value.z;
}

@compute @workgroup_size(64)
fn project(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = id.y * (64u * groups.x) + id.x;
    if (i >= args.dim) { return; }
    let length = length_vec3(load_v(i));
    store_v(i, load_v(i) - dot_vec3(load_v(i), args.normal) * args.normal);
    v[i * 3u] *= length;
    v[i * 3u + i % 3u] += length;
}
