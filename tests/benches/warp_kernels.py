"""The kernels of `cpu.rs` in NVIDIA Warp, timed on request.

Reads lines `KERNEL forward` and `KERNEL backward`, launches that kernel on Warp's CPU device, and answers with the seconds
that the launch took: `took 0.01`. Before, it says Warp's version; other lines are Warp's own.
"""

import sys
import time

import numpy as np
import warp as wp

wp.config.quiet = True

ELEMENTS, BODIES, SIDE = 1 << 24, 4096, 512


@wp.kernel
def saxpy(a: float, x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] += a * x[i]


@wp.kernel
def wave(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    v = x[i]
    out[i] = wp.sin(v) * wp.exp(-v * v) + wp.sqrt(1.0 + v * v)


@wp.kernel
def nbody(softening: float, at: wp.array(dtype=wp.vec3), mass: wp.array(dtype=float), pull: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    here = at[i]
    sum = wp.vec3(0.0, 0.0, 0.0)
    for j in range(at.shape[0]):
        d = at[j] - here
        r2 = wp.dot(d, d) + softening
        sum += d * (mass[j] / (r2 * wp.sqrt(r2)))
    pull[i] = sum


@wp.kernel
def matmul(a: wp.array2d(dtype=float), b: wp.array2d(dtype=float), c: wp.array2d(dtype=float)):
    i, j = wp.tid()
    sum = float(0.0)
    for k in range(a.shape[1]):
        sum += a[i, k] * b[k, j]
    c[i, j] = sum


@wp.kernel
def touch(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = 1.0


def array(*shape):
    values = np.random.default_rng(7).random(shape, dtype=np.float32)
    dtype = wp.vec3 if shape == (BODIES, 3) else float
    return wp.array(values, dtype=dtype, device="cpu", requires_grad=True)


def cases():
    line = [array(ELEMENTS) for _ in range(2)]
    square = [array(SIDE, SIDE) for _ in range(3)]
    return {
        "saxpy": (saxpy, ELEMENTS, [2.0, *line]),
        "wave": (wave, ELEMENTS, line),
        "nbody": (nbody, BODIES, [0.01, array(BODIES, 3), array(BODIES), array(BODIES, 3)]),
        "matmul": (matmul, (SIDE, SIDE), square),
        "touch": (touch, 1, [array(1)]),
    }


def main():
    print("Warp", wp.config.version, flush=True)
    known = cases()
    for line in sys.stdin:
        name, direction = line.split()
        kernel, dim, inputs = known[name]
        backward = {}
        if direction == "backward":
            adjoints = [getattr(value, "grad", 0.0) for value in inputs]
            backward = {"adj_inputs": adjoints, "adj_outputs": [], "adjoint": True}
        start = time.perf_counter()
        wp.launch(kernel, dim=dim, inputs=inputs, device="cpu", **backward)
        print("took", time.perf_counter() - start, flush=True)


main()
