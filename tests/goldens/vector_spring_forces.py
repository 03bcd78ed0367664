from typing import Any

import warp as wp


@wp.func
def as_index(x: Any):
    """An integer as an index. Rust makes a negative one huge; an index of Warp ends at 2147483647."""
    if x < type(x)(0) or x > type(x)(2147483647):
        return 2147483647
    return int(x)


@wp.kernel
def spring_forces(
    stiffness: float,
    damping: float,
    position: wp.array(dtype=wp.vec3),
    velocity: wp.array(dtype=wp.vec3),
    ends: wp.array(dtype=wp.vec2ui),
    rest_length: wp.array(dtype=wp.float32),
    force: wp.array(dtype=wp.vec3),
):
    """Springs between pairs of particles, damped along their axis: F = (k·(|d| − rest) + c·(v·d̂))·d̂, the force in N on
    the first particle of each pair. `ends[i]` holds the two particle numbers of spring i.
    """
    spring = wp.tid()
    a = as_index(ends[spring].x)
    b = as_index(ends[spring].y)
    offset = position[b] - position[a]
    direction = wp.normalize(offset)
    stretch = wp.length(offset) - rest_length[spring]
    closing_speed = wp.dot(velocity[b] - velocity[a], direction)
    force[spring] = direction * (stiffness * stretch + damping * closing_speed)
