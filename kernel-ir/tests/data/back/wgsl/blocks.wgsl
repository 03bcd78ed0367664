struct Args {
    dim: u32,
}

@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> sums_1: array<f32>;

@compute @workgroup_size(64)
fn sums(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = id.y * (64u * groups.x) + id.x;
    if (i >= args.dim) { return; }
    var acc = array<f32, 64>();
    var line = array<f32, 64>();
    for (var t: u32 = 0u; t < 64u; t++) {
        acc[t] = x[i * 64u + t];
    }
    for (var t: u32 = 0u; t < 64u; t++) {
        line[t] = acc[t];
    }
    var half = 32u;
    while (half > 0u) {
        for (var t: u32 = 0u; t < 64u; t++) {
            if (t < half) {
                line[t] += line[t + half];
            }
        }
        half /= 2u;
    }
    sums_1[i] = line[0u];
}
