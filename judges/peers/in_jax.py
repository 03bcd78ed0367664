"""The torture kernels in JAX: functions of whole arrays, under `jax.jit` and `jax.vjp`.

A branch is a `jnp.where`, also over the threads. A loop is a `lax.fori_loop` or `lax.while_loop`, over all threads at once or
under `jax.vmap`. Arrays are values, so an update in place makes a new array.
"""

import inspect

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_platforms", "cpu")

KERNELS = {}
OTHER_FORWARD = set()
CHOSEN = "written without `break`, `continue` and `return`, which a traced loop has not: a condition says the same"
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
        ),
        CHOSEN,
    ),
    "sphere_tracing": CHOSEN,
    **dict.fromkeys(("square_in_place", "in_place_in_a_loop", "masked_update"), VALUES),
}
NOT_EXPRESSIBLE = {
    "result_of_an_atomic": "no atomic operation gives back what was there",
}


def kernel(function):
    KERNELS[function.__name__] = function
    return function


def loop(trips, body, start):
    """The state after `body(k, state)` has run for each trip, beginning with `start`."""
    return lax.fori_loop(0, trips, body, start)


@kernel
def recurrence(trips, rate, x):
    return loop(trips, lambda _, s: rate * s * (1.0 - s), x)


@kernel
def recurrence_16(rate, x):
    return loop(16, lambda _, s: rate * s * (1.0 - s), x)


@kernel
def recurrence_17(rate, x):
    return loop(17, lambda _, s: rate * s * (1.0 - s), x)


def pendulum_with(step, steps, k, start):
    def body(_, state):
        p, v = state
        v = v - step * k * jnp.sin(p)
        return p + step * v, v

    return loop(steps, body, (start, jnp.zeros_like(start)))[0]


@kernel
def pendulum(steps, k, start):
    return pendulum_with(0.05, steps, k, start)


@kernel
def long_pendulum(steps, k, start):
    return pendulum_with(0.0001, steps, k, start)


@kernel
def horner(coefficient, x):
    return loop(len(coefficient), lambda k, r: r * x + coefficient[k], jnp.zeros_like(x))


@kernel
def while_counting_down(count, x):
    def body(state):
        left, s = state
        return left - 1, jnp.sin(s * x) + 0.1 * left * s

    return lax.while_loop(lambda state: state[0] > 0, body, (count, x))[1]


@kernel
def while_on_data(x):
    return jax.vmap(lambda x: lax.while_loop(lambda s: s < 10.0, lambda s: s * s * x + 1.3 * s, x))(x)


@kernel
def product_of_sums(rows, columns, a, x):
    def row_of(row, product):
        total = loop(columns, lambda column, total: total + a[row * columns + column] * x, jnp.zeros_like(x))
        return product * total

    return loop(rows, row_of, jnp.ones_like(x))


@kernel
def if_changes_the_state(trips, x):
    return loop(trips, lambda _, s: jnp.where(s > 0.6, 0.8 * s * s, s + x * x), x)


@kernel
def scalar_in_a_loop(rate, last, x):
    def body(trip, s):
        return s * rate * (1.0 - s) + 0.01 * (last - 3 * trip) * rate

    return loop(last // 3 + 1, body, x)


@kernel
def trips_from_an_array(trips, x):
    def one(trips, x):
        return loop(trips, lambda k, s: s * x + 0.1 * k * s * s, jnp.ones_like(x))

    return jax.vmap(one)(trips, x)


@kernel
def random_factor(trips, seed, x):
    def body(k, carried):
        state, s = carried
        state = state * jnp.uint32(1664525) + jnp.uint32(1013904223)
        return state, s + (state >> 8) / 16777216.0 * k * x

    return loop(trips, body, (seed, jnp.zeros_like(x)))[1]


@kernel
def break_on_the_index(trips, x):
    return loop(min(trips, 3), lambda _, s: s * x + 0.3 * s * s, jnp.full_like(x, 0.5))


@kernel
def break_on_data(trips, x):
    def one(x):
        def body(state):
            k, s = state
            return k + 1, s + 0.4 * s * s * x

        return lax.while_loop(lambda state: (state[0] < trips) & ((state[0] == 0) | (state[1] <= 2.0)), body, (0, x))[1]

    return jax.vmap(one)(x)


@kernel
def newton(a):
    def one(a):
        def body(state):
            k, r = state
            return k + 1, r - (r * r * r - a) / (3.0 * r * r)

        def going(state):
            k, r = state
            return (k < 50) & (jnp.abs(r * r * r - a) >= 1e-13)

        return lax.while_loop(going, body, (0, jnp.ones_like(a)))[1]

    return jax.vmap(one)(a)


@kernel
def continue_in_a_loop(n, a, x):
    def body(k, s):
        return jnp.where((k % 3 == 1) | (a[k] < -0.5), s, s * x + a[k] * s * s)

    return loop(n, body, jnp.ones_like(x))


@kernel
def continue_before_a_break(trips, x):
    def one(x):
        def body(state):
            k, s = state
            return k + 1, jnp.where(s > 0.7, 0.9 * s * s + 0.5 * x, s + 0.3 * s * x)

        return lax.while_loop(lambda state: (state[0] < trips) & (state[1] < 2.0), body, (0, 0.6 * x))[1]

    return jax.vmap(one)(x)


@kernel
def return_in_a_loop(trips, x):
    def body(_, state):
        s, found = state
        s = jnp.where(found, s, s * s * x + 0.5)
        return s, found | (s > 1.2)

    s, found = loop(trips, body, (x, jnp.zeros_like(x, dtype=bool)))
    return jnp.where(found, s * s, -s)


@kernel
def sphere_tracing(radius, height):
    def one(radius, height):
        def distance(t):
            return jnp.sqrt((t - 2.0) ** 2 + height * height) - radius

        def going(state):
            k, t = state
            return (k < 64) & (distance(t) >= 1e-12)

        return lax.while_loop(going, lambda state: (state[0] + 1, state[1] + distance(state[1])), (0, 0.0 * radius))[1]

    return jax.vmap(one)(radius, height)


@kernel
def sum_then_sine(n, x):
    rows = x.reshape(-1, 4)
    return jnp.sin(loop(n, lambda k, total: total + rows[:, k], jnp.zeros(len(rows))))


@kernel
def norm(n, x):
    return jnp.linalg.norm(x.reshape(-1, 4), axis=1)


@kernel
def variance(n, x):
    return jnp.var(x.reshape(-1, 4), axis=1)


@kernel
def softmax(n, x):
    return jax.nn.softmax(x.reshape(-1, 4), axis=1)


@kernel
def running_max(n, x):
    return jnp.max(x.reshape(-1, 4), axis=1) ** 2


@kernel
def component_twice(x):
    v = jnp.stack([x, jnp.full_like(x, 2.0), jnp.full_like(x, 3.0)])
    v = v.at[0].set(v[0] * v[0])
    v = v.at[1].set(v[0] * x)
    v = v.at[0].multiply(v[1])
    return v[0] + v[1] * v[2]


@kernel
def runtime_component(first, x):
    def one(first, x):
        def body(k, v):
            source = (first.astype(int) + k) % 4
            target = (source + 1) % 4
            return v.at[target].set(v[target] * v[source] + x)

        v = loop(6, body, jnp.stack([x, 0.3, 0.7, 1.1]))
        return v[0] + v[1] * v[2] + v[3]

    return jax.vmap(one)(first, x)


def product_of_quaternions(a, b):
    u, v = a[..., :3], b[..., :3]
    vector = a[..., 3:] * v + b[..., 3:] * u + jnp.cross(u, v)
    return jnp.concatenate([vector, a[..., 3:] * b[..., 3:] - jnp.sum(u * v, axis=-1, keepdims=True)], axis=-1)


@kernel
def quaternion_chain(n, turn, point):
    def body(k, q):
        q = product_of_quaternions(q, turn[k])
        return q / jnp.linalg.norm(q)

    q = loop(n, body, jnp.array([0.0, 0.0, 0.0, 1.0]))
    u = q[:3]
    return point + 2.0 * jnp.cross(u, jnp.cross(u, point) + q[3] * point)


@kernel
def shadowed(trips, x):
    def body(_, r):
        inner = (r * r) ** 2 + 0.1
        return 0.5 * inner + 0.3 * r

    return loop(trips, body, x) * x


@kernel
def assigned_in_one_branch(x):
    return jnp.where(x > 0.0, x * x * x, x) * x


@kernel
def square_in_place(b):
    return b * b


@kernel
def in_place_in_a_loop(trips, a, b):
    return loop(trips, lambda _, b: 0.5 * b * b + a, b)


@kernel
def masked_update(mask, x, b):
    return jnp.where(mask, x * b * b, b)


@kernel
def masked_loop(hidden, x, y):
    return loop(len(x), lambda j, s: jnp.where(hidden[j], s, 0.25 * s * s + 0.1 * x[j]), x)


@kernel
def smallest(x, least):
    return least.at[0].min(jnp.min(x * x))


@kernel
def largest(x, most):
    return most.at[0].max(jnp.max(x * x))


@kernel
def stencil_in_place(a):
    return loop(len(a) - 1, lambda j, a: a.at[j + 1].set(0.5 * a[j] * a[j + 1]), a)


class Launch:
    """A sequence of functions, with their arguments by name."""

    def __init__(self, case):
        self.case = case
        self.steps = [KERNELS[name] for name in case.get("launches", [case["kernel"]])]
        self.outputs = [param["name"] for param in case["params"] if param["mutable"]]
        self.compiled = None

    def arguments(self, values):
        arguments = {}
        for param in self.case["params"]:
            data = values[param["name"]]
            if param["components"] > 1:
                data = data.reshape(-1, param["components"])
            if not param["array"]:
                data = int(data[0]) if param["type"] == "i32" else data[0]
            arguments[param["name"]] = data
        return arguments

    def run(self, arguments):
        """The results of the functions, by the names of the outputs."""
        known, results = dict(arguments), {}
        for step in self.steps:
            found = step(**{name: known[name] for name in inspect.signature(step).parameters})
            results = found if isinstance(found, dict) else {self.outputs[0]: found}
            known.update(results)
        return results

    def function(self, values):
        """The compiled function of the floats, and these floats. Trip counts that all threads share stay Python integers."""
        arguments = self.arguments(values)
        floats = {name: jnp.asarray(value) for name, value in arguments.items() if np.asarray(value).dtype.kind == "f"}
        others = {name: value for name, value in arguments.items() if name not in floats}
        others = {name: value if isinstance(value, int) else jnp.asarray(value) for name, value in others.items()}
        if not self.compiled:
            self.compiled = jax.jit(lambda floats: self.run({**floats, **others}))
        return self.compiled, floats

    def launch(self, values):
        function, floats = self.function(values)
        return {name: np.asarray(value).reshape(-1) for name, value in function(floats).items()}

    def gradient(self, values, weights):
        results, pull = jax.vjp(*self.function(values))
        seeds = {name: jnp.asarray(weights[name].reshape(value.shape), value.dtype) for name, value in results.items()}
        return {name: np.asarray(value).reshape(-1) for name, value in pull(seeds)[0].items()}
