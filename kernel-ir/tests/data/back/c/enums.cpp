using index_t = unsigned int;

struct vec3 {
    float x, y, z;
};

/// A shape.
struct Shape {
    // 0: Sphere
    // 1: Box
    // 2: Capsule
    int value;
};

/// A body.
struct Body {
    Shape shape;
    vec3 size;
};

static Shape grown(Shape shape) {
    return shape.value == 0 ? Shape{1} : shape;
}

static float volume(Shape shape, vec3 size) {
    if (shape.value == 0) {
        return 4.0f * size.x * size.x * size.x;
    }
    return size.x * size.y * size.z;
}

extern "C" void volumes(
    Shape* __restrict__ shapes,
    Shape usual,
    const Body* __restrict__ bodies,
    float* __restrict__ out,
    index_t dim
) {
    for (index_t i = 0; i < dim; ++i) {
        Shape kept = shapes[i];
        if (kept.value == usual.value) {
            kept = grown(bodies[i].shape);
        }
        out[i] = volume(kept, bodies[i].size) * volume(bodies[i].shape, bodies[i].size);
        shapes[i] = kept;
    }
}
