struct Args {
    dim: u32,
}

@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read_write> out: array<i32>;

@compute @workgroup_size(64)
fn grow(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = id.y * (64u * groups.x) + id.x;
    if (i >= args.dim) { return; }
    var n: i32 = 4;
    let j_end: i32 = n;
    for (var j: i32 = 0; j < j_end; j++) {
        n += 1;
    }
    while (n < 9) {
        n = n << 1u;
    }
    if (n < 0) {
        out[i] = 0;
    } else if (n > 99) {
        out[i] = 99;
    } else {
        out[i] = n;
    }
}
