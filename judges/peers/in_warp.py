"""The torture kernels in NVIDIA Warp. A by-value float is an array of one element, because Warp has no gradient of a value."""

import inspect

import numpy as np
import warp as wp

f = wp.float64
Floats = wp.array(dtype=wp.float64)
Masks = wp.array(dtype=wp.bool)
Integers = wp.array(dtype=wp.int32)
Unsigned = wp.array(dtype=wp.uint32)
Vectors = wp.array(dtype=wp.vec3d)
Quaternions = wp.array(dtype=wp.quatd)

# Kernels whose forward is not Weft's, because the idiom of Warp is another one.
OTHER_FORWARD = {"random_factor"}

KERNELS = {}
NOT_EXPRESSIBLE = {}
OVERWRITES = "right with `wp.config.enable_vector_component_overwrites`, which is off by default"
NOTES = dict.fromkeys(("component_twice", "runtime_component"), OVERWRITES)


def kernel(function):
    KERNELS[function.__name__] = wp.kernel(function, module="unique")
    return function


@kernel
def recurrence(trips: int, rate: Floats, x: Floats, y: Floats):
    i = wp.tid()
    s = x[i]
    for _k in range(trips):
        s = rate[i] * s * (f(1.0) - s)
    y[i] = s


@kernel
def recurrence_16(rate: Floats, x: Floats, y: Floats):
    i = wp.tid()
    s = x[i]
    for _k in range(16):
        s = rate[i] * s * (f(1.0) - s)
    y[i] = s


@kernel
def recurrence_17(rate: Floats, x: Floats, y: Floats):
    i = wp.tid()
    s = x[i]
    for _k in range(17):
        s = rate[i] * s * (f(1.0) - s)
    y[i] = s


@kernel
def pendulum(steps: int, k: Floats, start: Floats, end: Floats):
    i = wp.tid()
    p = start[i]
    v = f(0.0)
    for _k in range(steps):
        v -= f(0.05) * k[i] * wp.sin(p)
        p += f(0.05) * v
    end[i] = p


@kernel
def long_pendulum(steps: int, k: Floats, start: Floats, end: Floats):
    i = wp.tid()
    p = start[i]
    v = f(0.0)
    for _k in range(steps):
        v -= f(0.0001) * k[i] * wp.sin(p)
        p += f(0.0001) * v
    end[i] = p


@kernel
def horner(coefficient: Floats, x: Floats, y: Floats):
    i = wp.tid()
    r = f(0.0)
    for k in range(coefficient.shape[0]):
        r = r * x[i] + coefficient[k]
    y[i] = r


@kernel
def while_counting_down(count: int, x: Floats, y: Floats):
    i = wp.tid()
    left = int(count)
    s = x[i]
    while left > 0:
        s = wp.sin(s * x[i]) + f(0.1) * f(left) * s
        left -= 1
    y[i] = s


@kernel
def while_on_data(x: Floats, y: Floats):
    i = wp.tid()
    s = x[i]
    while s < f(10.0):
        s = s * s * x[i] + f(1.3) * s
    y[i] = s


@kernel
def product_of_sums(rows: int, columns: int, a: Floats, x: Floats, y: Floats):
    i = wp.tid()
    product = f(1.0)
    for row in range(rows):
        total = f(0.0)
        for column in range(columns):
            total += a[row * columns + column] * x[i]
        product *= total
    y[i] = product


@kernel
def if_changes_the_state(trips: int, x: Floats, y: Floats):
    i = wp.tid()
    s = x[i]
    for _k in range(trips):
        if s > f(0.6):
            s = f(0.8) * s * s
        else:
            s = s + x[i] * x[i]
    y[i] = s


@kernel
def scalar_in_a_loop(rate: Floats, last: int, x: Floats, y: Floats):
    i = wp.tid()
    s = x[i]
    for _k in range(5, 5):
        s = s * s
    for k in range(last, -1, -3):
        s = s * rate[0] * (f(1.0) - s) + f(0.01) * f(k) * rate[0]
    y[i] = s


@kernel
def trips_from_an_array(trips: Integers, x: Floats, y: Floats):
    i = wp.tid()
    s = f(1.0)
    for k in range(trips[i]):
        s = s * x[i] + f(0.1) * f(k) * s * s
    y[i] = s


@kernel
def random_factor(trips: int, seed: Unsigned, x: Floats, y: Floats):
    i = wp.tid()
    state = wp.rand_init(int(seed[i]), i)
    s = f(0.0)
    for k in range(trips):
        s += f(wp.randf(state)) * f(k) * x[i]
    y[i] = s


@kernel
def break_on_the_index(trips: int, x: Floats, y: Floats):
    i = wp.tid()
    s = f(0.5)
    for k in range(trips):
        if k >= 3:
            break
        s = s * x[i] + f(0.3) * s * s
    y[i] = s


@kernel
def break_on_data(trips: int, x: Floats, y: Floats):
    i = wp.tid()
    s = x[i]
    for _k in range(trips):
        s += f(0.4) * s * s * x[i]
        if s > f(2.0):
            break
    y[i] = s


@kernel
def newton(a: Floats, root: Floats):
    i = wp.tid()
    r = f(1.0)
    for _k in range(50):
        g = r * r * r - a[i]
        if wp.abs(g) < f(1e-13):
            break
        r -= g / (f(3.0) * r * r)
    root[i] = r


@kernel
def continue_in_a_loop(n: int, a: Floats, x: Floats, y: Floats):
    i = wp.tid()
    s = f(1.0)
    for k in range(n):
        if k % 3 == 1 or a[k] < f(-0.5):
            continue
        s = s * x[i] + a[k] * s * s
    y[i] = s


@kernel
def continue_before_a_break(trips: int, x: Floats, y: Floats):
    i = wp.tid()
    s = f(0.6) * x[i]
    for _k in range(trips):
        if s > f(0.7):
            if s < f(2.0):
                s = f(0.9) * s * s + f(0.5) * x[i]
                continue
            break
        s += f(0.3) * s * x[i]
    y[i] = s


@kernel
def return_in_a_loop(trips: int, x: Floats, y: Floats):
    i = wp.tid()
    s = x[i]
    for _k in range(trips):
        s = s * s * x[i] + f(0.5)
        if s > f(1.2):
            y[i] = s * s
            return
    y[i] = -s


@kernel
def sphere_tracing(radius: Floats, height: Floats, distance: Floats):
    i = wp.tid()
    t = f(0.0)
    for _k in range(64):
        x = t - f(2.0)
        d = wp.sqrt(x * x + height[i] * height[i]) - radius[i]
        if d < f(1e-12):
            break
        t += d
    distance[i] = t


@kernel
def sum_then_sine(n: int, x: Floats, y: Floats):
    i = wp.tid()
    total = f(0.0)
    for k in range(n):
        total += x[i * 4 + k]
    y[i] = wp.sin(total)


@kernel
def norm(n: int, x: Floats, y: Floats):
    i = wp.tid()
    total = f(0.0)
    for k in range(n):
        total += x[i * 4 + k] * x[i * 4 + k]
    y[i] = wp.sqrt(total)


@kernel
def variance(n: int, x: Floats, y: Floats):
    i = wp.tid()
    total = f(0.0)
    squares = f(0.0)
    for k in range(n):
        value = x[i * 4 + k]
        total += value
        squares += value * value
    mean = total / f(n)
    y[i] = squares / f(n) - mean * mean


@kernel
def softmax(n: int, x: Floats, y: Floats):
    i = wp.tid()
    top = x[i * 4]
    for k in range(1, n):
        top = wp.max(top, x[i * 4 + k])
    total = f(0.0)
    for k in range(n):
        total += wp.exp(x[i * 4 + k] - top)
    for k in range(n):
        y[i * 4 + k] = wp.exp(x[i * 4 + k] - top) / total


@kernel
def running_max(n: int, x: Floats, y: Floats):
    i = wp.tid()
    top = x[i * 4]
    for k in range(1, n):
        top = wp.max(top, x[i * 4 + k])
    y[i] = top * top


@kernel
def component_twice(x: Floats, y: Floats):
    i = wp.tid()
    v = wp.vec3d(x[i], f(2.0), f(3.0))
    v[0] = v[0] * v[0]
    v[1] = v[0] * x[i]
    v[0] = v[0] * v[1]
    y[i] = v[0] + v[1] * v[2]


@kernel
def runtime_component(first: Unsigned, x: Floats, y: Floats):
    i = wp.tid()
    v = wp.vec4d(x[i], f(0.3), f(0.7), f(1.1))
    for k in range(6):
        source = (int(first[i]) + k) % 4
        target = (source + 1) % 4
        v[target] = v[target] * v[source] + x[i]
    y[i] = v[0] + v[1] * v[2] + v[3]


@kernel
def quaternion_chain(n: int, turn: Quaternions, point: Vectors, turned: Vectors):
    i = wp.tid()
    q = wp.quatd(f(0.0), f(0.0), f(0.0), f(1.0))
    for k in range(n):
        q = wp.normalize(q * turn[k])
    turned[i] = wp.quat_rotate(q, point[i])


@kernel
def shadowed(trips: int, x: Floats, y: Floats):
    i = wp.tid()
    s = x[i]
    r = s
    for _k in range(trips):
        inner = r * r
        inner = inner * inner + f(0.1)
        r = f(0.5) * inner + f(0.3) * r
    y[i] = r * s


@kernel
def assigned_in_one_branch(x: Floats, y: Floats):
    i = wp.tid()
    factor = x[i]
    if x[i] > f(0.0):
        factor = factor * factor * x[i]
    y[i] = factor * x[i]


@kernel
def square_in_place(b: Floats):
    i = wp.tid()
    b[i] = b[i] * b[i]


@kernel
def in_place_in_a_loop(trips: int, a: Floats, b: Floats):
    i = wp.tid()
    for _k in range(trips):
        b[i] = f(0.5) * b[i] * b[i] + a[i]


@kernel
def masked_update(mask: Masks, x: Floats, b: Floats):
    i = wp.tid()
    if mask[i]:
        b[i] = x[i] * b[i] * b[i]


@kernel
def masked_loop(hidden: Masks, x: Floats, y: Floats):
    i = wp.tid()
    s = x[i]
    for j in range(x.shape[0]):
        if hidden[j]:
            continue
        s = f(0.25) * s * s + f(0.1) * x[j]
    y[i] = s


@kernel
def smallest(x: Floats, least: Floats):
    i = wp.tid()
    wp.atomic_min(least, 0, x[i] * x[i])


@kernel
def largest(x: Floats, most: Floats):
    i = wp.tid()
    wp.atomic_max(most, 0, x[i] * x[i])


@kernel
def stencil_in_place(a: Floats):
    if wp.tid() == 0:
        for j in range(1, a.shape[0]):
            a[j] = f(0.5) * a[j - 1] * a[j]


@kernel
def result_of_an_atomic(x: Floats, total: Floats, before: Floats):
    i = wp.tid()
    old = wp.atomic_add(total, 0, x[i])
    before[i] = old * x[i]


TYPES = {
    "bool": wp.bool,
    "f32": wp.float32,
    "f64": f,
    "i32": wp.int32,
    "u32": wp.uint32,
    "Vec2": wp.vec2,
    "Vec3": wp.vec3,
    "Quat": wp.quat,
    "DVec2": wp.vec2d,
    "DVec3": wp.vec3d,
    "DQuat": wp.quatd,
}


class Launch:
    """A sequence of kernels, with their arguments by name."""

    def __init__(self, case):
        wp.config.quiet = True
        wp.init()
        self.case = case
        self.kernels = [KERNELS[name] for name in case.get("launches", [case["kernel"]])]

    def run(self, arguments):
        for kernel in self.kernels:
            inputs = [arguments[name] for name in inspect.signature(kernel.func).parameters]
            wp.launch(kernel, dim=self.case["threads"], inputs=inputs, device="cpu")

    def arguments(self, values):
        """The arguments by name. Integers stay values; everything else becomes an array."""
        arguments = {}
        for param in self.case["params"]:
            name, kind = param["name"], TYPES[param["type"]]
            if not param["array"] and param["type"] == "i32":
                arguments[name] = int(values[name][0])
                continue
            data = np.asarray(values[name])
            shaped = data.reshape(-1, param["components"]) if param["components"] > 1 else data
            arguments[name] = wp.array(shaped, dtype=kind, device="cpu", requires_grad=data.dtype.kind == "f")
        return arguments

    def launch(self, values):
        arguments = self.arguments(values)
        self.run(arguments)
        return self.floats(arguments, lambda array: array)

    def gradient(self, values, weights):
        arguments = self.arguments(values)
        tape = wp.Tape()
        with tape:
            self.run(arguments)
        seeds = {}
        for name, weight in weights.items():
            array = arguments[name]
            seeds[array] = wp.array(weight.reshape(array.numpy().shape), dtype=array.dtype, device="cpu")
        tape.backward(grads=seeds)
        return self.floats(arguments, lambda array: array.grad)

    @staticmethod
    def floats(arguments, part):
        arrays = {name: array for name, array in arguments.items() if isinstance(array, wp.array) and array.requires_grad}
        return {name: part(array).numpy().reshape(-1) for name, array in arrays.items()}
