import warp as wp


@wp.kernel
def lazy(x: wp.array(dtype=wp.int32), out: wp.array(dtype=wp.int32)):
    i = wp.tid()
    out[i] = x[i * 1000000000] if i == 0 else 5 if not i == 0 or x[i * 1000000000] > 100 else 6
    if i == 0 and x[i * 1000000000] > 0:
        out[i] += 10
    if not i == 0 or x[i * 1000000000] > 100:
        out[i] *= -3
    elif (i > 0) == (i < 2):
        pass
    else:
        out[i] /= -2
    if (i > 0) == (i < 2):
        out[i] %= 4
