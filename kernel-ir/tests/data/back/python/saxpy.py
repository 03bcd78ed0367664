import warp as wp


@wp.kernel
def saxpy(a: float, x: wp.array(dtype=wp.float32), y: wp.array(dtype=wp.float32)):
    """y = a·x + y, with \"\"\"quotes\"\"\" and \\.

    A second line.
    """
    i = wp.tid()
    y[i] += a * x[i]
