from typing import Any

import warp as wp


@wp.func
def to_i32(x: Any):
    if wp.isnan(x):
        return 0
    if x <= type(x)(-2147483648.0):
        return -2147483648
    if x >= type(x)(2147483648.0):
        return 2147483647
    return int(x)


@wp.func
def smoothstep(t: float) -> float:
    """Smooth step from 0 at t = 0 to 1 at t = 1: t²·(3 − 2t)."""
    return t * t * (3.0 - 2.0 * t)


@wp.func
def to_unit_interval(hash: wp.uint32) -> float:
    """The upper 24 bits of a hash as a number in [0, 1)."""
    return float(hash >> wp.uint32(8)) / 16777216.0


@wp.func
def pcg_hash(key: wp.uint32) -> wp.uint32:
    """A hash of 32 bits: one congruential step, then a permutation of its bits (PCG)."""
    state = key * wp.uint32(747796405) + wp.uint32(2891336453)
    word = ((state >> ((state >> wp.uint32(28)) + wp.uint32(4))) ^ state) * wp.uint32(277803737)
    return (word >> wp.uint32(22)) ^ word


@wp.func
def lattice_value(column: int, row: int, seed: wp.uint32) -> float:
    """The value at a point of a grid, from its hash."""
    return to_unit_interval(pcg_hash(pcg_hash(wp.uint32(column) ^ seed) ^ wp.uint32(row)))


@wp.func
def lattice_noise(point: wp.vec2, seed: wp.uint32) -> float:
    """Smooth noise between the values of a grid of width 1."""
    column = to_i32(wp.floor(point.x))
    row = to_i32(wp.floor(point.y))
    right = smoothstep(point.x - wp.floor(point.x))
    up = smoothstep(point.y - wp.floor(point.y))
    below = (
        lattice_value(column, row, seed) * (1.0 - right)
        + lattice_value(column + 1, row, seed) * right
    )
    above = (
        lattice_value(column, row + 1, seed) * (1.0 - right)
        + lattice_value(column + 1, row + 1, seed) * right
    )
    return below * (1.0 - up) + above * up


@wp.kernel
def fractal_noise(
    octaves: int,
    seed: wp.uint32,
    points: wp.array(dtype=wp.vec2),
    noise: wp.array(dtype=wp.float32),
):
    """Fractal noise: octaves of smooth noise, each twice as fine and half as strong as the one before."""
    i = wp.tid()
    point = points[i]
    strength = float(0.5)
    sum = float(0.0)
    for octave in range(octaves):
        sum += strength * lattice_noise(point, seed + wp.uint32(octave))
        point *= 2.0
        strength *= 0.5
    noise[i] = sum
