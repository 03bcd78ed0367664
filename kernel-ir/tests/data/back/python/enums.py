import warp as wp


@wp.struct
class Shape:
    """A shape."""

    # 0: Sphere
    # 1: Box
    # 2: Capsule
    value: int


@wp.struct
class Body:
    """A body."""

    shape: Shape
    size: wp.vec3


@wp.func
def grown(shape: Shape) -> Shape:
    return Shape(1) if shape.value == 0 else shape


@wp.func
def volume(shape: Shape, size: wp.vec3) -> float:
    if shape.value == 0:
        return 4.0 * size.x * size.x * size.x
    return size.x * size.y * size.z


@wp.kernel
def volumes(
    shapes: wp.array(dtype=Shape),
    usual: Shape,
    bodies: wp.array(dtype=Body),
    out: wp.array(dtype=wp.float32),
):
    i = wp.tid()
    kept = shapes[i]
    if kept.value == usual.value:
        kept = grown(bodies[i].shape)
    out[i] = volume(kept, bodies[i].size) * volume(bodies[i].shape, bodies[i].size)
    shapes[i] = kept
