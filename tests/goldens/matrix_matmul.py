import warp as wp


@wp.kernel
def matmul(
    inner: int,
    a: wp.array2d(dtype=wp.float32),
    b: wp.array2d(dtype=wp.float32),
    c: wp.array2d(dtype=wp.float32),
):
    """Matrix product, one element a thread: C = A·B."""
    row, column = wp.tid()
    sum = float(0.0)
    for k in range(inner):
        sum += a[row, k] * b[k, column]
    c[row, column] = sum
