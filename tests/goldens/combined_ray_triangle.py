import warp as wp


@wp.kernel
def ray_triangle(
    a: wp.vec3,
    b: wp.vec3,
    c: wp.vec3,
    origin: wp.array(dtype=wp.vec3),
    direction: wp.array(dtype=wp.vec3),
    hit: wp.array(dtype=wp.float32),
):
    """Distance along each ray to a triangle by Möller and Trumbore's test, −1 where the ray misses it."""
    i = wp.tid()
    edge1 = b - a
    edge2 = c - a
    normal = wp.cross(direction[i], edge2)
    determinant = wp.dot(edge1, normal)
    if wp.abs(determinant) < 0.001:
        hit[i] = -1.0
        return
    from_corner = origin[i] - a
    across = wp.cross(from_corner, edge1)
    u = wp.dot(from_corner, normal) / determinant
    v = wp.dot(direction[i], across) / determinant
    t = wp.dot(edge2, across) / determinant
    inside = u >= 0.0 and v >= 0.0 and u + v <= 1.0
    hit[i] = t if inside and t > 0.0 else -1.0
