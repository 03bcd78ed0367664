from typing import Any

import warp as wp


@wp.func
def clamp(x: Any, low: Any, high: Any):
    if x < low:
        return low
    if x > high:
        return high
    return x


# By squaring, as in Rust.
@wp.func_native(
    """
    float power = 1, square = x;
    for (int rest = n; rest != 0; rest /= 2) {
        if (rest % 2 != 0) power *= square;
        square *= square;
    }
    return n < 0 ? 1 / power : power;
    """,
    "if (n != 0) adj_x += n * pow(x, n - 1.0f) * adj_ret;",
)
def powi(x: wp.float32, n: wp.int32) -> wp.float32: ...


@wp.kernel
def powi_(x: wp.array(dtype=wp.float32)):
    i, row = wp.tid()
    while row < x.shape[0]:
        clamp_ = clamp(powi(x[row], 2), -1.0, wp.inf)
        x[row] = clamp_
        row += 4
