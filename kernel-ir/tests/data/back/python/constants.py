import warp as wp


@wp.kernel
def constants(x: wp.array2d(dtype=wp.float64), out: wp.array(dtype=wp.float64)):
    i = wp.tid()
    s = wp.float64(0.0)
    n = 2
    c = 0.1
    for k in range(3):
        s += x[i, k] * wp.float64(int(k))
        s += x[i, k]
    for k in range(3):
        s += wp.float64(k)
    for k in range(17):
        s += x[i, k] * wp.float64(k)
    for k_1 in range(n):
        s += wp.float64(wp.int64(int(k_1)) + wp.int64(1)) * x[i, k_1]
    s += wp.float64(int(n)) * x[i, n]
    s += wp.float64(float(c)) * wp.float64(float(0.1)) * wp.float64(0.5)
    out[i] = s
