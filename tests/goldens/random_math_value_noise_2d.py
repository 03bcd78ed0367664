from typing import Any

import warp as wp


@wp.func
def to_u32(x: Any):
    if not x > type(x)(0.0):
        return wp.uint32(0)
    if x >= type(x)(4294967296.0):
        return wp.uint32(4294967295)
    return wp.uint32(x)


@wp.kernel
def value_noise_2d(seed: wp.uint32, frequency: float, noise: wp.array2d(dtype=wp.float32)):
    """Value noise on an image of 2-D points `frequency` lattice cells apart: the random values at the four corners of
    the cell around a point, weighted bilinearly.
    """
    row, column = wp.tid()
    point = wp.vec2(float(column), float(row)) * frequency
    cell = wp.vec2(wp.floor(point.x), wp.floor(point.y))
    t = point - cell
    value = float(0.0)
    for trip in range(4):
        corner = wp.uint32(trip)
        right = corner & wp.uint32(1)
        below = corner >> wp.uint32(1)
        x = to_u32(cell[0]) + right
        y = to_u32(cell[1]) + below
        hash = seed ^ (x * wp.uint32(2376512323)) ^ (y * wp.uint32(3625334849))
        hash = (hash ^ (hash >> wp.uint32(13))) * wp.uint32(1540483477)
        hash ^= hash >> wp.uint32(15)
        weight_x = t.x if right == wp.uint32(1) else 1.0 - t.x
        weight_y = t.y if below == wp.uint32(1) else 1.0 - t.y
        value += weight_x * weight_y * (float(hash >> wp.uint32(8)) / 16777216.0)
    noise[row, column] = value
