struct Args {
    dim: u32,
}

@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read> n: array<u32>;
@group(0) @binding(2) var<storage, read> most: array<u32>;
@group(0) @binding(3) var<storage, read_write> count: array<u32>;

fn steps_most(counts: bool, start: u32) -> u32 {
    if (!counts) { return u32(); }
    var n_ = start;
    var count_ = 0u;
    while (n_ != 1u && count_ < most[0u]) {
        n_ = select(3u * n_ + 1u, n_ / 2u, n_ % 2u == 0u);
        count_ += 1u;
    }
    return count_;
}

fn known_most(counts: bool, n_: u32) -> u32 {
    if (!counts) { return u32(); }
    return select(0u, steps_most(n_ > 0u, n_) + 1u, n_ > 0u);
}

/// The side that is not chosen must not run its loop.
@compute @workgroup_size(64)
fn collatz(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = id.y * (64u * groups.x) + id.x;
    if (i >= args.dim) { return; }
    let other = select(
        select(
            known_most(!(n[i] == 7u) && !(n[i] > 7u), n[i]),
            steps_most(!(n[i] == 7u) && n[i] > 7u, n[i]),
            n[i] > 7u,
        ),
        0u,
        n[i] == 7u,
    );
    count[i] = other + steps_most(true, 27u);
}
