"""The torture kernels in PyTorch: functions of whole tensors under plain autograd.

A branch that differs between threads is a `torch.where`. Loops are Python loops, so autograd keeps the state of each trip. If
threads leave a loop at different trips, they are computed one by one.
"""

import inspect

import torch

KERNELS = {}
OTHER_FORWARD = set()
ONE_BY_ONE = "threads one by one, in Python"
NOTES = dict.fromkeys(
    (
        "while_on_data",
        "trips_from_an_array",
        "break_on_data",
        "newton",
        "continue_before_a_break",
        "return_in_a_loop",
        "sphere_tracing",
    ),
    ONE_BY_ONE,
)
NOT_EXPRESSIBLE = {
    "result_of_an_atomic": "no atomic operation gives back what was there",
}


def kernel(function):
    KERNELS[function.__name__] = function
    return function


def one_by_one(function):
    """Applies the function to the elements of each thread."""

    def all_threads(*tensors):
        return torch.stack([function(*elements) for elements in zip(*tensors)])

    return all_threads


@kernel
def recurrence(trips, rate, x):
    s = x
    for _ in range(trips):
        s = rate * s * (1.0 - s)
    return s


@kernel
def recurrence_16(rate, x):
    return recurrence(16, rate, x)


@kernel
def recurrence_17(rate, x):
    return recurrence(17, rate, x)


@kernel
def pendulum(steps, k, start):
    p, v = start, torch.zeros_like(start)
    for _ in range(steps):
        v = v - 0.05 * k * torch.sin(p)
        p = p + 0.05 * v
    return p


@kernel
def long_pendulum(steps, k, start):
    p, v = start, torch.zeros_like(start)
    for _ in range(steps):
        v = v - 0.0001 * k * torch.sin(p)
        p = p + 0.0001 * v
    return p


@kernel
def horner(coefficient, x):
    r = torch.zeros_like(x)
    for factor in coefficient:
        r = r * x + factor
    return r


@kernel
def while_counting_down(count, x):
    s = x
    while count > 0:
        s = torch.sin(s * x) + 0.1 * count * s
        count -= 1
    return s


@kernel
def while_on_data(x):
    def one(x):
        s = x
        while s < 10.0:
            s = s * s * x + 1.3 * s
        return s

    return one_by_one(one)(x)


@kernel
def product_of_sums(rows, columns, a, x):
    product = torch.ones_like(x)
    for row in range(rows):
        total = torch.zeros_like(x)
        for column in range(columns):
            total = total + a[row * columns + column] * x
        product = product * total
    return product


@kernel
def if_changes_the_state(trips, x):
    s = x
    for _ in range(trips):
        s = torch.where(s > 0.6, 0.8 * s * s, s + x * x)
    return s


@kernel
def scalar_in_a_loop(rate, last, x):
    s = x
    for k in range(last, -1, -3):
        s = s * rate * (1.0 - s) + 0.01 * k * rate
    return s


@kernel
def trips_from_an_array(trips, x):
    def one(trips, x):
        s = torch.ones_like(x)
        for k in range(trips):
            s = s * x + 0.1 * k * s * s
        return s

    return one_by_one(one)(trips, x)


@kernel
def random_factor(trips, seed, x):
    state, s = seed.to(torch.int64), torch.zeros_like(x)
    for k in range(trips):
        state = (state * 1664525 + 1013904223) % 2**32
        s = s + (state >> 8).to(x.dtype) / 16777216.0 * k * x
    return s


@kernel
def break_on_the_index(trips, x):
    s = torch.full_like(x, 0.5)
    for k in range(trips):
        if k >= 3:
            break
        s = s * x + 0.3 * s * s
    return s


@kernel
def break_on_data(trips, x):
    def one(x):
        s = x
        for _ in range(trips):
            s = s + 0.4 * s * s * x
            if s > 2.0:
                break
        return s

    return one_by_one(one)(x)


@kernel
def newton(a):
    def one(a):
        r = torch.ones_like(a)
        for _ in range(50):
            f = r * r * r - a
            if abs(f) < 1e-13:
                break
            r = r - f / (3.0 * r * r)
        return r

    return one_by_one(one)(a)


@kernel
def continue_in_a_loop(n, a, x):
    s = torch.ones_like(x)
    for k in range(n):
        if k % 3 == 1 or a[k] < -0.5:
            continue
        s = s * x + a[k] * s * s
    return s


@kernel
def continue_before_a_break(trips, x):
    def one(x):
        s = 0.6 * x
        for _ in range(trips):
            if s > 0.7:
                if s < 2.0:
                    s = 0.9 * s * s + 0.5 * x
                    continue
                break
            s = s + 0.3 * s * x
        return s

    return one_by_one(one)(x)


@kernel
def return_in_a_loop(trips, x):
    def one(x):
        s = x
        for _ in range(trips):
            s = s * s * x + 0.5
            if s > 1.2:
                return s * s
        return -s

    return one_by_one(one)(x)


@kernel
def sphere_tracing(radius, height):
    def one(radius, height):
        t = torch.zeros_like(radius)
        for _ in range(64):
            d = torch.sqrt((t - 2.0) ** 2 + height * height) - radius
            if d < 1e-12:
                break
            t = t + d
        return t

    return one_by_one(one)(radius, height)


@kernel
def sum_then_sine(n, x):
    return torch.sin(x.reshape(-1, 4).sum(dim=1))


@kernel
def norm(n, x):
    return torch.linalg.norm(x.reshape(-1, 4), dim=1)


@kernel
def variance(n, x):
    return torch.var(x.reshape(-1, 4), dim=1, correction=0)


@kernel
def softmax(n, x):
    return torch.softmax(x.reshape(-1, 4), dim=1)


@kernel
def running_max(n, x):
    return torch.amax(x.reshape(-1, 4), dim=1) ** 2


@kernel
def component_twice(x):
    v = torch.stack([x, torch.full_like(x, 2.0), torch.full_like(x, 3.0)])
    v[0] = v[0] * v[0]
    v[1] = v[0] * x
    v[0] = v[0] * v[1]
    return v[0] + v[1] * v[2]


@kernel
def runtime_component(first, x):
    threads = torch.arange(len(x))
    v = torch.stack([x, torch.full_like(x, 0.3), torch.full_like(x, 0.7), torch.full_like(x, 1.1)])
    for k in range(6):
        source = (first.to(torch.int64) + k) % 4
        target = (source + 1) % 4
        v[target, threads] = v[target, threads] * v[source, threads] + x
    return v[0] + v[1] * v[2] + v[3]


def product_of_quaternions(a, b):
    u, v = a[..., :3], b[..., :3]
    vector = a[..., 3:] * v + b[..., 3:] * u + torch.linalg.cross(u, v)
    return torch.cat([vector, a[..., 3:] * b[..., 3:] - (u * v).sum(dim=-1, keepdim=True)], dim=-1)


@kernel
def quaternion_chain(n, turn, point):
    q = torch.tensor([0.0, 0.0, 0.0, 1.0], dtype=turn.dtype)
    for k in range(n):
        q = torch.nn.functional.normalize(product_of_quaternions(q, turn[k]), dim=0)
    u = q[:3].expand_as(point)
    return point + 2.0 * torch.linalg.cross(u, torch.linalg.cross(u, point) + q[3] * point)


@kernel
def shadowed(trips, x):
    r = x
    for _ in range(trips):
        inner = (r * r) ** 2 + 0.1
        r = 0.5 * inner + 0.3 * r
    return r * x


@kernel
def assigned_in_one_branch(x):
    return torch.where(x > 0.0, x * x * x, x) * x


@kernel
def square_in_place(b):
    return b.mul_(b)


@kernel
def in_place_in_a_loop(trips, a, b):
    for _ in range(trips):
        b.mul_(0.5 * b).add_(a)
    return b


@kernel
def masked_update(mask, x, b):
    return torch.where(mask, x * b * b, b)


@kernel
def masked_loop(hidden, x, y):
    s = x
    for j in range(len(x)):
        if not hidden[j]:
            s = 0.25 * s * s + 0.1 * x[j]
    return s


@kernel
def smallest(x, least):
    return torch.minimum(least, torch.amin(x * x))


@kernel
def largest(x, most):
    return torch.maximum(most, torch.amax(x * x))


@kernel
def stencil_in_place(a):
    for j in range(1, len(a)):
        a[j] = 0.5 * a[j - 1] * a[j]
    return a


class Launch:
    """A sequence of functions, with their arguments by name."""

    def __init__(self, case):
        self.case = case
        self.steps = [KERNELS[name] for name in case.get("launches", [case["kernel"]])]
        self.outputs = [param["name"] for param in case["params"] if param["mutable"]]

    def arguments(self, values):
        """The arguments as tensors, and by-value integers as Python integers."""
        arguments = {}
        for param in self.case["params"]:
            data = torch.tensor(values[param["name"]])
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

    def launch(self, values):
        return {name: value.numpy().reshape(-1) for name, value in self.run(self.arguments(values)).items()}

    def gradient(self, values, weights):
        arguments = self.arguments(values)
        leaves = {name: value for name, value in arguments.items() if torch.is_tensor(value) and value.is_floating_point()}
        for leaf in leaves.values():
            leaf.requires_grad_()
        # PyTorch forbids in-place changes of a leaf that needs a gradient, so its copy is changed.
        copies = {name: value.clone() if name in leaves else value for name, value in arguments.items()}
        results = self.run(copies)
        seeds = [torch.tensor(weights[name], dtype=value.dtype).reshape(value.shape) for name, value in results.items()]
        torch.autograd.backward(list(results.values()), seeds)
        return {
            name: (torch.zeros_like(leaf) if leaf.grad is None else leaf.grad).numpy().reshape(-1)
            for name, leaf in leaves.items()
        }
