import warp as wp


@wp.kernel
def empty(x: wp.array(dtype=wp.float32)):
    pass
