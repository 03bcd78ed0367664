import warp as wp


@wp.kernel
def saxpy(a: float, x: wp.array(dtype=wp.float32), y: wp.array(dtype=wp.float32)):
    """BLAS saxpy: y = a·x + y."""
    i = wp.tid()
    y[i] += a * x[i]
