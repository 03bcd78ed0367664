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

#- atomic operations on what the block shares
from typing import Any

import warp as wp


@wp.func
def as_index(x: Any):
    """An integer as an index. Rust makes a negative one huge; an index of Warp ends at 2147483647."""
    if x < type(x)(0) or x > type(x)(2147483647):
        return 2147483647
    return int(x)


@wp.kernel
def k(n: wp.array(dtype=wp.uint32), c: wp.array(dtype=wp.uint32), f: wp.array(dtype=wp.float32)):
    i = wp.tid()
    bins = wp.zeros(shape=8, dtype=wp.uint32)
    own = wp.zeros(shape=64, dtype=float)
    for t in range(64):
        old_1 = bins[as_index(n[i * 64 + t])]
        bins[as_index(n[i * 64 + t])] = old_1 + wp.uint32(1)
        old = old_1
        own[t] = wp.max(own[t], float(old))
    for t in range(64):
        if t < 8:
            wp.atomic_add(c, t, bins[t])
        f[i] = own[t]
