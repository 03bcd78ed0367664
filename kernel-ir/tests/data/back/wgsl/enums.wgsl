/// A shape.
struct Shape {
    value: i32,
}

/// A body.
struct Body {
    shape: Shape,
    size: vec3f,
}

struct Args {
    usual: i32,
    dim: u32,
}

@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read_write> shapes: array<i32>;
@group(0) @binding(2) var<storage, read> bodies: array<u32>;
@group(0) @binding(3) var<storage, read_write> out: array<f32>;

fn choose_Shape(condition: bool, then: Shape, other: Shape) -> Shape {
    if (condition) { return then; }
    return other;
}

fn load_shapes(index: u32) -> Shape {
    let first = index;
    return Shape(shapes[first]);
}

fn load_bodies_Shape(at: u32) -> Shape {
    let first = at;
    return Shape(bitcast<i32>(bodies[first]));
}

fn load_bodies_vec3(at: u32) -> vec3f {
    let first = at;
    return vec3f(bitcast<f32>(bodies[first]), bitcast<f32>(bodies[first + 1u]), bitcast<f32>(bodies[first + 2u]));
}

fn store_shapes(index: u32, value: Shape) {
    let first = index;
    shapes[first] = value.value;
}

fn grown(shape: Shape) -> Shape {
    return choose_Shape(shape.value == 0, Shape(1), shape);
}

fn volume(shape: Shape, size: vec3f) -> f32 {
    if (shape.value == 0) {
        return 4.0f * size.x * size.x * size.x;
    }
    return size.x * size.y * size.z;
}

@compute @workgroup_size(64)
fn volumes(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = id.y * (64u * groups.x) + id.x;
    if (i >= args.dim) { return; }
    let usual = Shape(args.usual);
    var kept = load_shapes(i);
    if (kept.value == usual.value) {
        kept = grown(load_bodies_Shape(i * 4u));
    }
    out[i] =
        volume(kept, load_bodies_vec3(i * 4u + 1u)) * volume(load_bodies_Shape(i * 4u), load_bodies_vec3(i * 4u + 1u));
    store_shapes(i, kept);
}
