import warp as wp


@wp.func
def last(x: wp.array(dtype=wp.float32)) -> float:
    return x[x.shape[0] - 1]


@wp.func
def corner(m: wp.array2d(dtype=wp.float32), i: int, x: wp.array(dtype=wp.float32)) -> float:
    return m[i, i] + last(x)


@wp.kernel
def k(
    a: wp.array(dtype=wp.float32),
    m: wp.array2d(dtype=wp.float32),
    b: wp.array(dtype=wp.float32),
    y: wp.array(dtype=wp.float32),
):
    i = wp.tid()
    y[i] = corner(m, i, a) + b[i]
