#- an index into a part of an array, and a length that only checks need
from typing import Any

import warp as wp


@wp.func
def as_index(x: Any):
    """An integer as an index. Rust makes a negative one huge; an index of Warp ends at 2147483647."""
    if x < type(x)(0) or x > type(x)(2147483647):
        return 2147483647
    return int(x)


@wp.kernel
def k(
    starts: wp.array(dtype=wp.uint32),
    x: wp.array(dtype=wp.float32),
    y: wp.array(dtype=wp.float32),
):
    i = wp.tid()
    s_start = as_index(starts[i])
    y[i] = x[s_start + 2]
