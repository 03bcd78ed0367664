// The value itself, which is no constant.
fn given_f64(x: f64) -> f64 { return x; }

struct Args {
    dim: u32,
}

@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read> x: array<f64>;
@group(0) @binding(2) var<storage, read_write> y: array<f64>;
@group(0) @binding(3) var<storage, read_write> z: array<f32>;

@compute @workgroup_size(64)
fn constants(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = id.y * (64u * groups.x) + id.x;
    if (i >= args.dim) { return; }
    y[i] = -abs(given_f64(2.0lf - 3.0lf)) * x[i] + abs(given_f64(-2.0lf));
    z[i] = 1.5707964f;
}
