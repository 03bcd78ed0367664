"""The kernels of the benchmarks in NVIDIA Warp, timed on request: `warp_kernels.py cpu|cuda:0`.

Reads lines `KERNEL forward`, `KERNEL backward` (its adjoint by itself) and `KERNEL gradient` (a tape's gradients, set to zero before),
and answers with the seconds that it took, on a GPU by the device's own clock: `took 0.01`. Before, it says
`ready:` and Warp's version; other lines are Warp's own.
"""

import sys
import time

import numpy as np
import warp as wp

wp.config.quiet = True

DEVICE = sys.argv[1]
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
    return wp.array(values, dtype=dtype, device=DEVICE, requires_grad=True)


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


def seconds(launch):
    if DEVICE == "cpu":
        start = time.perf_counter()
        launch()
        return time.perf_counter() - start
    start, end = (wp.Event(DEVICE, enable_timing=True) for _ in range(2))
    wp.record_event(start)
    launch()
    wp.record_event(end)
    wp.synchronize_event(end)
    return wp.get_event_elapsed_time(start, end) / 1000


def prepared(kernel, dim, inputs, direction):
    """The function to time."""
    if direction == "forward":
        return lambda: wp.launch(kernel, dim=dim, inputs=inputs)
    if direction == "backward":
        adjoints = [getattr(value, "grad", 0.0) for value in inputs]
        return lambda: wp.launch(kernel, dim=dim, inputs=inputs, adj_inputs=adjoints, adj_outputs=[], adjoint=True)
    with wp.Tape() as tape:
        wp.launch(kernel, dim=dim, inputs=inputs)
    seeds = {inputs[-1]: wp.ones_like(inputs[-1])}

    def gradient():
        tape.zero()
        tape.backward(grads=seeds)

    return gradient


def main():
    known = cases()
    print("ready: Warp", wp.config.version, flush=True)
    with wp.ScopedDevice(DEVICE):
        for line in sys.stdin:
            name, direction = line.split()
            print("took", seconds(prepared(*known[name], direction)), flush=True)


main()
