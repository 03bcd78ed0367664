from typing import Any

import warp as wp


@wp.func
def as_index(x: Any):
    """An integer as an index. Rust makes a negative one huge; an index of Warp ends at 2147483647."""
    if x < type(x)(0) or x > type(x)(2147483647):
        return 2147483647
    return int(x)


@wp.kernel
def histogram(
    x: wp.array(dtype=wp.int32),
    bins: wp.array(dtype=wp.uint32),
    order: wp.array(dtype=wp.uint32),
):
    i = wp.tid()
    h = (
        (wp.uint32(x[i]) * wp.uint32(2654435761))
        ^ ((wp.uint32(x[i]) * wp.uint32(2654435761)) >> wp.uint32(16))
    )
    bin = int(h % wp.uint32(bins.shape[0]))
    old = wp.atomic_add(bins, bin, wp.uint32(1))
    wp.atomic_max(order, 0, h)
    order[i + 1] = old
    if as_index(x[i]) >= 100:
        order[i + 1] += wp.uint32(100)
