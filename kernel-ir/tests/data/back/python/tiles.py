#- tiles in Warp
from typing import Any

import warp as wp


@wp.func
def neg(x: Any):
    # Warp's own `-x` is `0 - x`, which is never -0.
    return x * type(x)(-1.0)


@wp.func
def tiles_element(j: int, value: float, value_2: int) -> float:
    return value if 0 + j < value_2 else 1.0


@wp.func
def tiles_element_2(j: int, i: int, t: float, s: float) -> float:
    return wp.max(t, s) if j <= i else -1.0


@wp.func
def tiles_element_3(t: float) -> float:
    return neg(t)


@wp.kernel
def tiles(
    s: float,
    x: wp.array2d(dtype=wp.float32),
    v: wp.array(dtype=wp.float32),
    w: wp.array2d(dtype=wp.float32),
    y: wp.array2d(dtype=wp.float32),
    sums: wp.array(dtype=wp.float32),
    all: wp.array(dtype=wp.float32),
    z: wp.array2d(dtype=wp.float32),
):
    i = wp.tid()
    t = wp.tile_load(x, shape=(8, 24), offset=(i * 8, 0))
    row = wp.tile_map(
        tiles_element,
        wp.tile_reshape(wp.tile_arange(24, dtype=int), shape=(1, 24)),
        wp.tile_reshape(wp.tile_load(v, shape=24, offset=0), shape=(1, 24)),
        v.shape[0],
    )
    lower = wp.tile_map(
        tiles_element_2,
        wp.tile_broadcast(
            wp.tile_reshape(wp.tile_arange(24, dtype=int), shape=(1, 24)),
            shape=(8, 24),
        ),
        wp.tile_broadcast(
            wp.tile_reshape(wp.tile_arange(8, dtype=int), shape=(8, 1)),
            shape=(8, 24),
        ),
        t,
        s,
    )
    wp.tile_store(
        y,
        wp.tile_map(wp.div, lower - wp.tile_broadcast(row, shape=(8, 24)), s),
        offset=(i * 8, 0),
    )
    wp.tile_atomic_add(sums, wp.tile_sum(t, axis=0), offset=0)
    all[i] = wp.tile_reduce(wp.max, t)[0] - wp.tile_sum(wp.tile_map(tiles_element_3, t))[0]
    p = wp.tile_full(shape=(8, 8), value=s, dtype=float)
    wp.tile_matmul(t, wp.tile_load(w, shape=(24, 8), offset=(0, 0)), p)
    p = wp.tile_map(wp.mul, p, 2.0)
    wp.tile_store(z, p, offset=(i * 8, 0))
