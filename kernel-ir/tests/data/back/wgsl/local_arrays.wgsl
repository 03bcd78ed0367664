//- first values, and none
alias mat33 = array<vec3f, 3>;

struct Args {
    dim: u32,
}

@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;

@compute @workgroup_size(64)
fn k(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = id.y * (64u * groups.x) + id.x;
    if (i >= args.dim) { return; }
    var w = array<f32, 3>(0.25f, x[i], 0.25f);
    var v = array<vec3f, 2>(vec3f(x[i]), vec3f(x[i], 1.0f, 2.0f));
    var b = array<bool, 2>();
    b[0u] = x[i] > 0.0f;
    b[1u] = b[0u];
    var count = array<u32, 2>();
    var m = array<mat33, 2>();
    for (var j: u32 = 0u; j < 3u; j++) {
        count[j % 2u] += 1u;
        v[j % 2u].x *= w[j];
        v[j % 2u][j] -= w[j];
        m[j % 2u][j] = v[0u];
        m[1u][1].y += 1.0f;
    }
    if (b[count[0u] % 2u]) {
        y[i] = v[count[1u] % 2u].x + m[0u][2].x;
    }
}
