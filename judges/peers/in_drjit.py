"""The torture kernels in Dr.Jit: functions of arrays, with one element for each thread.

Loops carry the hint that reverse mode requires, and their state excludes the arrays that they gather from. Dr.Jit has no
`break`, `continue` or early `return` in a loop, so the loop's condition expresses the same.
"""

import inspect

import drjit as dr
from drjit.llvm.ad import (
    Array2f,
    Array2f64,
    Array3f,
    Array3f64,
    Array4f,
    Array4f64,
    Bool,
    Float,
    Float64,
    Int,
    Quaternion4f64,
    UInt,
)

KERNELS = {}
OTHER_FORWARD = set()
REWRITTEN = "written without `break`, `continue` and `return`, which Dr.Jit has not: a condition of the loop says the same"
VALUES = "arrays are values here: an update in place is a new array"
NOTES = {
    **dict.fromkeys(
        (
            "break_on_the_index",
            "break_on_data",
            "newton",
            "continue_in_a_loop",
            "continue_before_a_break",
            "masked_loop",
            "return_in_a_loop",
            "sphere_tracing",
        ),
        REWRITTEN,
    ),
    **dict.fromkeys(("square_in_place", "in_place_in_a_loop", "masked_update"), VALUES),
}
NOT_EXPRESSIBLE = {
    "stencil_in_place": "arrays are values, and no loop reads what it scatters",
    "result_of_an_atomic": "no atomic operation of floats gives back what was there",
}


def kernel(function):
    KERNELS[function.__name__] = function
    return function


def at(array, index):
    return dr.gather(type(array), array, index)


@kernel
@dr.syntax
def recurrence(trips, rate, x):
    s, k = Float64(x), Int(0)
    while dr.hint(k < trips, max_iterations=32):
        s = rate * s * (1.0 - s)
        k += 1
    return {"y": s}


@kernel
@dr.syntax
def recurrence_16(rate, x):
    s, k = Float64(x), Int(0)
    while dr.hint(k < 16, max_iterations=16):
        s = rate * s * (1.0 - s)
        k += 1
    return {"y": s}


@kernel
@dr.syntax
def recurrence_17(rate, x):
    s, k = Float64(x), Int(0)
    while dr.hint(k < 17, max_iterations=17):
        s = rate * s * (1.0 - s)
        k += 1
    return {"y": s}


@kernel
@dr.syntax
def pendulum(steps, k, start):
    p, v, n = Float64(start), dr.zeros(Float64, dr.width(start)), Int(0)
    while dr.hint(n < steps, max_iterations=128):
        v -= 0.05 * k * dr.sin(p)
        p += 0.05 * v
        n += 1
    return {"end": p}


@kernel
@dr.syntax
def long_pendulum(steps, k, start):
    p, v, n = Float64(start), dr.zeros(Float64, dr.width(start)), Int(0)
    while dr.hint(n < steps, max_iterations=100000):
        v -= 0.0001 * k * dr.sin(p)
        p += 0.0001 * v
        n += 1
    return {"end": p}


@kernel
@dr.syntax
def horner(coefficient, x):
    r, k = dr.zeros(Float64, dr.width(x)), UInt(0)
    while dr.hint(k < 6, max_iterations=6, exclude=[coefficient]):
        r = r * x + at(coefficient, k)
        k += 1
    return {"y": r}


@kernel
@dr.syntax
def while_counting_down(count, x):
    s, left = Float64(x), Int(count)
    while dr.hint(left > 0, max_iterations=16):
        s = dr.sin(s * x) + 0.1 * Float64(left) * s
        left -= 1
    return {"y": s}


@kernel
@dr.syntax
def while_on_data(x):
    s = Float64(x)
    while dr.hint(s < 10.0, max_iterations=64):
        s = s * s * x + 1.3 * s
    return {"y": s}


@kernel
@dr.syntax
def product_of_sums(rows, columns, a, x):
    product, row = dr.ones(Float64, dr.width(x)), Int(0)
    while dr.hint(row < rows, max_iterations=8, exclude=[a]):
        total, column = dr.zeros(Float64, dr.width(x)), Int(0)
        while dr.hint(column < columns, max_iterations=8, exclude=[a]):
            total += at(a, UInt(row * columns + column)) * x
            column += 1
        product *= total
        row += 1
    return {"y": product}


@kernel
@dr.syntax
def if_changes_the_state(trips, x):
    s, k = Float64(x), Int(0)
    while dr.hint(k < trips, max_iterations=16):
        if s > 0.6:
            s = 0.8 * s * s
        else:
            s = s + x * x
        k += 1
    return {"y": s}


@kernel
@dr.syntax
def scalar_in_a_loop(rate, last, x):
    s, k = Float64(x), Int(last)
    while dr.hint(k >= 0, max_iterations=32):
        s = s * rate * (1.0 - s) + 0.01 * Float64(k) * rate
        k -= 3
    return {"y": s}


@kernel
@dr.syntax
def trips_from_an_array(trips, x):
    s, k = dr.ones(Float64, dr.width(x)), Int(0)
    while dr.hint(k < trips, max_iterations=16):
        s = s * x + 0.1 * Float64(k) * s * s
        k += 1
    return {"y": s}


@kernel
@dr.syntax
def random_factor(trips, seed, x):
    state, s, k = UInt(seed), dr.zeros(Float64, dr.width(x)), Int(0)
    while dr.hint(k < trips, max_iterations=16):
        state = state * 1664525 + 1013904223
        s += Float64(state >> 8) / 16777216.0 * Float64(k) * x
        k += 1
    return {"y": s}


@kernel
@dr.syntax
def break_on_the_index(trips, x):
    s, k = dr.full(Float64, 0.5, dr.width(x)), Int(0)
    while dr.hint((k < trips) & (k < 3), max_iterations=16):
        s = s * x + 0.3 * s * s
        k += 1
    return {"y": s}


@kernel
@dr.syntax
def break_on_data(trips, x):
    s, k = Float64(x), Int(0)
    going = k < trips
    while dr.hint(going, max_iterations=16):
        s += 0.4 * s * s * x
        k += 1
        going = (k < trips) & (s <= 2.0)
    return {"y": s}


@kernel
@dr.syntax
def newton(a):
    r, k = dr.ones(Float64, dr.width(a)), Int(0)
    while dr.hint((k < 50) & (dr.abs(r * r * r - a) >= 1e-13), max_iterations=50):
        r -= (r * r * r - a) / (3.0 * r * r)
        k += 1
    return {"root": r}


@kernel
@dr.syntax
def continue_in_a_loop(n, a, x):
    s, k = dr.ones(Float64, dr.width(x)), Int(0)
    while dr.hint(k < n, max_iterations=8, exclude=[a]):
        value = at(a, UInt(k))
        if (k % 3 != 1) & (value >= -0.5):
            s = s * x + value * s * s
        k += 1
    return {"y": s}


@kernel
@dr.syntax
def continue_before_a_break(trips, x):
    s, k = 0.6 * x, Int(0)
    going = (k < trips) & (s < 2.0)
    while dr.hint(going, max_iterations=16):
        if s > 0.7:
            s = 0.9 * s * s + 0.5 * x
        else:
            s += 0.3 * s * x
        k += 1
        going = (k < trips) & (s < 2.0)
    return {"y": s}


@kernel
@dr.syntax
def return_in_a_loop(trips, x):
    s, k = Float64(x), Int(0)
    found = dr.full(dr.mask_t(Float64), False, dr.width(x))
    while dr.hint((k < trips) & ~found, max_iterations=16):
        s = s * s * x + 0.5
        found = s > 1.2
        k += 1
    return {"y": dr.select(found, s * s, -s)}


@kernel
@dr.syntax
def sphere_tracing(radius, height):
    t, k = dr.zeros(Float64, dr.width(radius)), Int(0)
    going = dr.full(dr.mask_t(Float64), True, dr.width(radius))
    while dr.hint((k < 64) & going, max_iterations=64):
        x = t - 2.0
        d = dr.sqrt(x * x + height * height) - radius
        going = d >= 1e-12
        t = dr.select(going, t + d, t)
        k += 1
    return {"distance": t}


def row(x, k):
    """Element `k` of each thread's row of four."""
    return at(x, dr.arange(UInt, dr.width(x) // 4) * 4 + UInt(k))


@kernel
@dr.syntax
def sum_then_sine(n, x):
    total, k = dr.zeros(Float64, dr.width(x) // 4), Int(0)
    while dr.hint(k < n, max_iterations=8, exclude=[x]):
        total += row(x, k)
        k += 1
    return {"y": dr.sin(total)}


@kernel
@dr.syntax
def norm(n, x):
    total, k = dr.zeros(Float64, dr.width(x) // 4), Int(0)
    while dr.hint(k < n, max_iterations=8, exclude=[x]):
        total += row(x, k) * row(x, k)
        k += 1
    return {"y": dr.sqrt(total)}


@kernel
@dr.syntax
def variance(n, x):
    total, squares, k = dr.zeros(Float64, dr.width(x) // 4), dr.zeros(Float64, dr.width(x) // 4), Int(0)
    while dr.hint(k < n, max_iterations=8, exclude=[x]):
        value = row(x, k)
        total += value
        squares += value * value
        k += 1
    mean = total / Float64(n)
    return {"y": squares / Float64(n) - mean * mean}


@kernel
@dr.syntax
def softmax(n, x):
    threads = dr.width(x) // 4
    top, k = row(x, 0), Int(1)
    while dr.hint(k < n, max_iterations=8, exclude=[x]):
        top = dr.maximum(top, row(x, k))
        k += 1
    total, k = dr.zeros(Float64, threads), Int(0)
    while dr.hint(k < n, max_iterations=8, exclude=[x]):
        total += dr.exp(row(x, k) - top)
        k += 1
    of = dr.arange(UInt, threads * 4) // 4
    return {"y": dr.exp(x - at(top, of)) / at(total, of)}


@kernel
@dr.syntax
def running_max(n, x):
    top, k = row(x, 0), Int(1)
    while dr.hint(k < n, max_iterations=8, exclude=[x]):
        top = dr.maximum(top, row(x, k))
        k += 1
    return {"y": top * top}


@kernel
@dr.syntax
def component_twice(x):
    v = Array3f64(x, 2.0, 3.0)
    v.x = v.x * v.x
    v.y = v.x * x
    v.x = v.x * v.y
    return {"y": v.x + v.y * v.z}


@kernel
@dr.syntax
def runtime_component(first, x):
    v = dr.alloc_local(Float64, 4)
    v[0], v[1], v[2], v[3] = x, Float64(0.3), Float64(0.7), Float64(1.1)
    for k in range(6):
        source = (first + k) % 4
        target = (source + 1) % 4
        v[target] = v[target] * v[source] + x
    return {"y": v[UInt(0)] + v[UInt(1)] * v[UInt(2)] + v[UInt(3)]}


@kernel
@dr.syntax
def quaternion_chain(n, turn, point):
    q, k = dr.zeros(Quaternion4f64, dr.width(point)), UInt(0)
    q.w = dr.ones(Float64, dr.width(point))
    while dr.hint(k < UInt(n), max_iterations=4, exclude=[turn]):
        q = dr.normalize(q * Quaternion4f64(at(turn, k)))
        k += 1
    u = Array3f64(q.x, q.y, q.z)
    return {"turned": point + 2.0 * dr.cross(u, dr.cross(u, point) + q.w * point)}


@kernel
@dr.syntax
def shadowed(trips, x):
    s = x
    r, k = Float64(s), Int(0)
    while dr.hint(k < trips, max_iterations=8):
        inner = r * r
        inner = inner * inner + 0.1
        r = 0.5 * inner + 0.3 * r
        k += 1
    return {"y": r * s}


@kernel
@dr.syntax
def assigned_in_one_branch(x):
    factor = Float64(x)
    if x > 0.0:
        factor = factor * factor * x
    return {"y": factor * x}


@kernel
@dr.syntax
def square_in_place(b):
    return {"b": b * b}


@kernel
@dr.syntax
def in_place_in_a_loop(trips, a, b):
    value, k = Float64(b), Int(0)
    while dr.hint(k < trips, max_iterations=8):
        value = 0.5 * value * value + a
        k += 1
    return {"b": value}


@kernel
@dr.syntax
def masked_update(mask, x, b):
    return {"b": dr.select(mask, x * b * b, b)}


@kernel
@dr.syntax
def masked_loop(hidden, x, y):
    value, j = Float64(x), UInt(0)
    while dr.hint(j < dr.width(x), max_iterations=8):
        value = dr.select(dr.gather(Bool, hidden, j), value, 0.25 * value * value + 0.1 * at(x, j))
        j += 1
    return {"y": value}


@kernel
@dr.syntax
def smallest(x, least):
    result = Float64(least)
    dr.scatter_reduce(dr.ReduceOp.Min, result, x * x, UInt(0))
    return {"least": result}


@kernel
@dr.syntax
def largest(x, most):
    result = Float64(most)
    dr.scatter_reduce(dr.ReduceOp.Max, result, x * x, UInt(0))
    return {"most": result}


TYPES = {
    "bool": Bool,
    "f32": Float,
    "f64": Float64,
    "i32": Int,
    "u32": UInt,
    "Vec2": Array2f,
    "Vec3": Array3f,
    "Quat": Array4f,
    "DVec2": Array2f64,
    "DVec3": Array3f64,
    "DQuat": Array4f64,
}


class Launch:
    """A sequence of functions, with their arguments by name."""

    def __init__(self, case):
        self.case = case
        self.steps = [KERNELS[name] for name in case.get("launches", [case["kernel"]])]

    def arguments(self, values):
        arguments = {}
        for param in self.case["params"]:
            name, parts = param["name"], param["components"]
            data = values[name]
            arguments[name] = TYPES[param["type"]](data.reshape(-1, parts).T if parts > 1 else data)
        return arguments

    def run(self, arguments):
        """The results of the last function, which are the arrays that are only written."""
        known, results = dict(arguments), {}
        for step in self.steps:
            results = step(**{name: known[name] for name in inspect.signature(step).parameters})
            known.update(results)
        return results

    @staticmethod
    def numbers(value):
        numpy = value.numpy()
        return (numpy.T if numpy.ndim > 1 else numpy).reshape(-1)

    def launch(self, values):
        return {name: self.numbers(value) for name, value in self.run(self.arguments(values)).items()}

    def gradient(self, values, weights):
        arguments = self.arguments(values)
        floats = {name: value for name, value in arguments.items() if dr.is_float_v(value)}
        dr.enable_grad(*floats.values())
        results = self.run(arguments)
        for name, value in results.items():
            parts = dr.size_v(value) if dr.depth_v(value) > 1 else 1
            seed = weights[name].reshape(-1, parts)
            dr.set_grad(value, type(value)(seed.T.copy() if parts > 1 else seed[:, 0].copy()))
            dr.enqueue(dr.ADMode.Backward, value)
        dr.traverse(dr.ADMode.Backward)
        return {name: self.numbers(dr.grad(value)) for name, value in floats.items()}
