#- phases of registers and of shared arrays
import warp as wp


@wp.kernel
def sums(x: wp.array(dtype=wp.float32), sums_1: wp.array(dtype=wp.float32)):
    i = wp.tid()
    acc = wp.zeros(shape=64, dtype=float)
    line = wp.zeros(shape=64, dtype=float)
    for t in range(64):
        acc[t] = x[i * 64 + t]
    for t in range(64):
        line[t] = acc[t]
    half = int(32)
    while half > 0:
        for t in range(64):
            if t < half:
                line[t] += line[t + half]
        half //= 2
    sums_1[i] = line[0]

#- an array that begins with zeros, and what the whole block reads and writes
import warp as wp


@wp.kernel
def k(n: int, y: wp.array(dtype=wp.float32), c: wp.array(dtype=wp.uint32)):
    i = wp.tid()
    near = wp.zeros(shape=40, dtype=float)
    steady = wp.zeros(shape=2, dtype=float)
    steady[0] = 1.0
    steady[1] = 2.0
    near[3] = y[i]
    for t in range(32):
        near[t + 1] += steady[t % 2]
    first = near[1]
    if near[2] > first:
        y[i] = first
    else:
        for t in range(32):
            near[t] = 0.0
    while near[n] < first:
        for t in range(32):
            near[t] += 1.0
        if y[n] > 3.0:
            return
    wp.atomic_add(c, 0, wp.uint32(1))
    wp.printf("%g\n", wp.float64(first))
