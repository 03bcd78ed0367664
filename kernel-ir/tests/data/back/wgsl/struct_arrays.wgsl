// By bits: a compiler of WGSL may assume that no float is NaN.
fn is_nan(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }

// The other operand, if one is NaN.
fn fmax(a: f32, b: f32) -> f32 { return select(b, a, a > b || is_nan(b)); }

fn dot_vec3(a: vec3f, b: vec3f) -> f32 { return a.x * b.x + a.y * b.y + a.z * b.z; }

fn length_squared_vec3(v: vec3f) -> f32 { return dot_vec3(v, v); }

/// A light.
struct Light {
    at: vec3f,
    power: f32,
}

/// A moving point.
struct Body {
    x: vec3f,
    v: vec3f,
    mass: f32,
    fixed: bool,
}

struct Args {
    dt: f32,
    lights_len: u32,
    sun_0: vec3f,
    sun_3: f32,
    dim: u32,
}

@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read> lights: array<f32>;
@group(0) @binding(2) var<storage, read_write> bodies: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> energy: array<atomic<u32>>;

fn load_bodies(index: u32) -> Body {
    let first = index * 32u;
    return Body(
        vec3f(
            bitcast<f32>(atomicLoad(&bodies[first >> 2u])),
            bitcast<f32>(atomicLoad(&bodies[(first + 4u) >> 2u])),
            bitcast<f32>(atomicLoad(&bodies[(first + 8u) >> 2u])),
        ),
        vec3f(
            bitcast<f32>(atomicLoad(&bodies[(first + 12u) >> 2u])),
            bitcast<f32>(atomicLoad(&bodies[(first + 16u) >> 2u])),
            bitcast<f32>(atomicLoad(&bodies[(first + 20u) >> 2u])),
        ),
        bitcast<f32>(atomicLoad(&bodies[(first + 24u) >> 2u])),
        extractBits(atomicLoad(&bodies[(first + 28u) >> 2u]), 8u * ((first + 28u) & 3u), 8u) != 0u,
    );
}

fn load_lights(index: u32) -> Light {
    let first = index * 4u;
    return Light(vec3f(lights[first], lights[first + 1u], lights[first + 2u]), lights[first + 3u]);
}

fn load_bodies_vec3(at: u32) -> vec3f {
    let first = at;
    return vec3f(
        bitcast<f32>(atomicLoad(&bodies[first >> 2u])),
        bitcast<f32>(atomicLoad(&bodies[(first + 4u) >> 2u])),
        bitcast<f32>(atomicLoad(&bodies[(first + 8u) >> 2u])),
    );
}

fn store_bodies_vec3(at: u32, value: vec3f) {
    let first = at;
    atomicStore(&bodies[first >> 2u], bitcast<u32>(value.x));
    atomicStore(&bodies[(first + 4u) >> 2u], bitcast<u32>(value.y));
    atomicStore(&bodies[(first + 8u) >> 2u], bitcast<u32>(value.z));
}

// The bits are exchanged until no other thread has come between. Returns the value from before.
fn atomic_add_energy(at: u32, value: f32) -> f32 {
    var seen = atomicLoad(&energy[at]);
    loop {
        let exchange = atomicCompareExchangeWeak(&energy[at], seen, bitcast<u32>(bitcast<f32>(seen) + value));
        if (exchange.exchanged) { break; }
        seen = exchange.old_value;
    }
    return bitcast<f32>(seen);
}

var<workgroup> parts_of_f32: array<f32, 64>;

// Adds what the threads of a workgroup have, by one atomic operation: 8 threads add up a column each, and one of them adds
// up the columns. All threads of the workgroup come here.
fn workgroup_add_energy(at: u32, value: f32, thread: u32) {
    parts_of_f32[thread] = value;
    workgroupBarrier();
    if (thread < 8u) {
        var sum = value;
        for (var other = thread + 8u; other < 64u; other += 8u) { sum += parts_of_f32[other]; }
        parts_of_f32[thread] = sum;
    }
    workgroupBarrier();
    if (thread == 0u) {
        var sum = parts_of_f32[0];
        for (var other = 1u; other < 8u; other++) { sum += parts_of_f32[other]; }
        if (!(sum == f32())) { atomic_add_energy(at, sum); }
    }
    // The next sum is put in the same place.
    workgroupBarrier();
}

@compute @workgroup_size(64)
fn steps(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) member: u32,
) {
    var energy_sum: f32;
    let sun = Light(args.sun_0, args.sun_3);
    let dim = args.dim;
    let lights_len = args.lights_len;
    let dt = args.dt;
    for (var i = id.y * (64u * groups.x) + id.x; i < dim; i += 64u * groups.x * groups.y) {
        let body = load_bodies(i);
        if (!body.fixed) {
            var force = (sun.at - body.x) * sun.power;
            for (var k: u32 = 0u; k < lights_len; k++) {
                let light = load_lights(k);
                force += (light.at - body.x) * light.power;
            }
            store_bodies_vec3(i * 32u + 12u, load_bodies_vec3(i * 32u + 12u) + force * (dt / body.mass));
            store_bodies_vec3(i * 32u, load_bodies_vec3(i * 32u) + load_bodies_vec3(i * 32u + 12u) * dt);
            atomicStore(
                &bodies[(i * 32u + 4u) >> 2u],
                bitcast<u32>(fmax(bitcast<f32>(atomicLoad(&bodies[(i * 32u + 4u) >> 2u])), 0.0f)),
            );
            energy_sum += 0.5f
                * bitcast<f32>(atomicLoad(&bodies[(i * 32u + 24u) >> 2u]))
                * length_squared_vec3(load_bodies_vec3(i * 32u + 12u));
        }
    }
    workgroup_add_energy(0u, energy_sum, member);
}
