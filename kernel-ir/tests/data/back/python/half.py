from typing import Any

import warp as wp


@wp.func
def neg(x: Any):
    # Warp's own `-x` is `0 - x`, which is never -0.
    return x * type(x)(-1.0)


@wp.func
def strong_mul(g: Any, d: Any):
    """An adjoint times a derivative: nothing comes of an adjoint that is zero, whatever the derivative is."""
    return wp.where(g == type(g)(0.0), type(g)(0.0), g * d)


@wp.kernel
def half(
    a: wp.float16,
    x: wp.array(dtype=wp.float16),
    y: wp.array(dtype=wp.float16),
    z: wp.array(dtype=wp.bfloat16),
    sums: wp.array(dtype=wp.bfloat16),
):
    i = wp.tid()
    h = x[i]
    wide = float(h)
    y[i] = wp.float16(float(y[i]) + float(wp.float16(float(a) * float(h))))
    y[i] = wp.float16(float(wp.float16(float(y[i]) - 0.5)) / float(wp.float16(neg(float(h)))))
    z[i] = wp.bfloat16(wide * 2.0)
    if float(h) < float(a) and wp.isfinite(float(h)):
        z[i] = wp.bfloat16(wp.inf)
    local = wp.zeros(shape=2, dtype=wp.float16)
    local[1] = h if float(a) == 0.0 else wp.float16(1.0)
    y[i] = wp.float16(float(y[i]) - float(local[1]))
    wp.atomic_add(sums, 0, z[i])
    wp.atomic_sub(sums, 1, wp.bfloat16(strong_mul(float(z[i]), 3.0)))
