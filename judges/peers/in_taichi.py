"""The torture kernels in Taichi and in Quadrants, which share a language: fields and `kernel.grad`.

Trip counts are fields without axes, because Quadrants requires fields in the bounds of loops.
"""

import inspect
import types

import hostile_in_taichi
import numpy as np


def build(ti):
    """The kernels in Taichi or in Quadrants, whichever `ti` is."""
    kernels, names_of = {}, {}

    def kernel(function):
        kernels[function.__name__] = ti.kernel(function)
        names_of[function.__name__] = list(inspect.signature(function).parameters)
        return function

    any_field = ti.template()

    @kernel
    def recurrence(trips: any_field, rate: any_field, x: any_field, y: any_field):
        for i in y:
            s = x[i]
            for _k in range(trips[None]):
                s = rate[i] * s * (1.0 - s)
            y[i] = s

    @kernel
    def recurrence_16(rate: any_field, x: any_field, y: any_field):
        for i in y:
            s = x[i]
            for _k in range(16):
                s = rate[i] * s * (1.0 - s)
            y[i] = s

    @kernel
    def recurrence_17(rate: any_field, x: any_field, y: any_field):
        for i in y:
            s = x[i]
            for _k in range(17):
                s = rate[i] * s * (1.0 - s)
            y[i] = s

    @kernel
    def pendulum(steps: any_field, k: any_field, start: any_field, end: any_field):
        for i in end:
            p = start[i]
            v = 0.0
            for _k in range(steps[None]):
                v -= 0.05 * k[i] * ti.sin(p)
                p += 0.05 * v
            end[i] = p

    @kernel
    def long_pendulum(steps: any_field, k: any_field, start: any_field, end: any_field):
        for i in end:
            p = start[i]
            v = 0.0
            for _k in range(steps[None]):
                v -= 0.0001 * k[i] * ti.sin(p)
                p += 0.0001 * v
            end[i] = p

    @kernel
    def horner(coefficient: any_field, x: any_field, y: any_field):
        for i in y:
            r = 0.0
            for k in range(coefficient.shape[0]):
                r = r * x[i] + coefficient[k]
            y[i] = r

    @kernel
    def while_counting_down(count: any_field, x: any_field, y: any_field):
        for i in y:
            left = count[None]
            s = x[i]
            while left > 0:
                s = ti.sin(s * x[i]) + 0.1 * left * s
                left -= 1
            y[i] = s

    @kernel
    def while_on_data(x: any_field, y: any_field):
        for i in y:
            s = x[i]
            while s < 10.0:
                s = s * s * x[i] + 1.3 * s
            y[i] = s

    @kernel
    def product_of_sums(rows: any_field, columns: any_field, a: any_field, x: any_field, y: any_field):
        for i in y:
            product = 1.0
            for row in range(rows[None]):
                total = 0.0
                for column in range(columns[None]):
                    total += a[row * columns[None] + column] * x[i]
                product *= total
            y[i] = product

    @kernel
    def if_changes_the_state(trips: any_field, x: any_field, y: any_field):
        for i in y:
            s = x[i]
            for _k in range(trips[None]):
                if s > 0.6:
                    s = 0.8 * s * s
                else:
                    s = s + x[i] * x[i]
            y[i] = s

    @kernel
    def scalar_in_a_loop(rate: any_field, last: any_field, x: any_field, y: any_field):
        for i in y:
            s = x[i]
            for _k in range(5, 5):
                s = s * s
            for j in range(last[None] + 1):
                if j % 3 == 0:
                    s = s * rate[None] * (1.0 - s) + 0.01 * (last[None] - j) * rate[None]
            y[i] = s

    @kernel
    def trips_from_an_array(trips: any_field, x: any_field, y: any_field):
        for i in y:
            s = 1.0
            for k in range(trips[i]):
                s = s * x[i] + 0.1 * k * s * s
            y[i] = s

    @kernel
    def random_factor(trips: any_field, seed: any_field, x: any_field, y: any_field):
        for i in y:
            state = seed[i]
            s = 0.0
            for k in range(trips[None]):
                state = state * ti.u32(1664525) + ti.u32(1013904223)
                s += ti.cast(state >> ti.u32(8), ti.f64) / 16777216.0 * k * x[i]
            y[i] = s

    @kernel
    def break_on_the_index(trips: any_field, x: any_field, y: any_field):
        for i in y:
            s = 0.5
            for k in range(trips[None]):
                if k >= 3:
                    break
                s = s * x[i] + 0.3 * s * s
            y[i] = s

    @kernel
    def break_on_data(trips: any_field, x: any_field, y: any_field):
        for i in y:
            s = x[i]
            for _k in range(trips[None]):
                s += 0.4 * s * s * x[i]
                if s > 2.0:
                    break
            y[i] = s

    @kernel
    def newton(a: any_field, root: any_field):
        for i in root:
            r = 1.0
            for _k in range(50):
                g = r * r * r - a[i]
                if ti.abs(g) < 1e-13:
                    break
                r -= g / (3.0 * r * r)
            root[i] = r

    @kernel
    def continue_in_a_loop(n: any_field, a: any_field, x: any_field, y: any_field):
        for i in y:
            s = 1.0
            for k in range(n[None]):
                if k % 3 == 1 or a[k] < -0.5:
                    continue
                s = s * x[i] + a[k] * s * s
            y[i] = s

    @kernel
    def continue_before_a_break(trips: any_field, x: any_field, y: any_field):
        for i in y:
            s = 0.6 * x[i]
            for _k in range(trips[None]):
                if s > 0.7:
                    if s < 2.0:
                        s = 0.9 * s * s + 0.5 * x[i]
                        continue
                    break
                s += 0.3 * s * x[i]
            y[i] = s

    @kernel
    def sphere_tracing(radius: any_field, height: any_field, distance: any_field):
        for i in distance:
            t = 0.0
            for _k in range(64):
                x = t - 2.0
                d = ti.sqrt(x * x + height[i] * height[i]) - radius[i]
                if d < 1e-12:
                    break
                t += d
            distance[i] = t

    @kernel
    def sum_then_sine(n: any_field, x: any_field, y: any_field):
        for i in y:
            total = 0.0
            for k in range(n[None]):
                total += x[i * 4 + k]
            y[i] = ti.sin(total)

    @kernel
    def norm(n: any_field, x: any_field, y: any_field):
        for i in y:
            total = 0.0
            for k in range(n[None]):
                total += x[i * 4 + k] * x[i * 4 + k]
            y[i] = ti.sqrt(total)

    @kernel
    def variance(n: any_field, x: any_field, y: any_field):
        for i in y:
            total = 0.0
            squares = 0.0
            for k in range(n[None]):
                value = x[i * 4 + k]
                total += value
                squares += value * value
            mean = total / n[None]
            y[i] = squares / n[None] - mean * mean

    @kernel
    def softmax(n: any_field, x: any_field, y: any_field):
        for i in range(y.shape[0] // 4):
            top = x[i * 4]
            for k in range(1, n[None]):
                top = ti.max(top, x[i * 4 + k])
            total = 0.0
            for k in range(n[None]):
                total += ti.exp(x[i * 4 + k] - top)
            for k in range(n[None]):
                y[i * 4 + k] = ti.exp(x[i * 4 + k] - top) / total

    @kernel
    def running_max(n: any_field, x: any_field, y: any_field):
        for i in y:
            top = x[i * 4]
            for k in range(1, n[None]):
                top = ti.max(top, x[i * 4 + k])
            y[i] = top * top

    @kernel
    def component_twice(x: any_field, y: any_field):
        for i in y:
            v = ti.Vector([x[i], 2.0, 3.0])
            v[0] = v[0] * v[0]
            v[1] = v[0] * x[i]
            v[0] = v[0] * v[1]
            y[i] = v[0] + v[1] * v[2]

    @kernel
    def runtime_component(first: any_field, x: any_field, y: any_field):
        for i in y:
            v = ti.Vector([x[i], 0.3, 0.7, 1.1])
            for k in range(6):
                source = (ti.cast(first[i], ti.i32) + k) % 4
                target = (source + 1) % 4
                v[target] = v[target] * v[source] + x[i]
            y[i] = v[0] + v[1] * v[2] + v[3]

    @ti.func
    def product_of_quaternions(a, b):
        u = ti.Vector([a[0], a[1], a[2]])
        v = ti.Vector([b[0], b[1], b[2]])
        w = a[3] * v + b[3] * u + u.cross(v)
        return ti.Vector([w[0], w[1], w[2], a[3] * b[3] - u.dot(v)])

    @kernel
    def quaternion_chain(n: any_field, turn: any_field, point: any_field, turned: any_field):
        for i in turned:
            q = ti.Vector([0.0, 0.0, 0.0, 1.0])
            for k in range(n[None]):
                q = product_of_quaternions(q, turn[k]).normalized()
            u = ti.Vector([q[0], q[1], q[2]])
            turned[i] = point[i] + 2.0 * u.cross(u.cross(point[i]) + q[3] * point[i])

    @kernel
    def shadowed(trips: any_field, x: any_field, y: any_field):
        for i in y:
            s = x[i]
            r = s
            for _k in range(trips[None]):
                inner = r * r
                inner = inner * inner + 0.1
                r = 0.5 * inner + 0.3 * r
            y[i] = r * s

    @kernel
    def assigned_in_one_branch(x: any_field, y: any_field):
        for i in y:
            factor = x[i]
            if x[i] > 0.0:
                factor = factor * factor * x[i]
            y[i] = factor * x[i]

    @kernel
    def square_in_place(b: any_field):
        for i in b:
            b[i] = b[i] * b[i]

    @kernel
    def in_place_in_a_loop(trips: any_field, a: any_field, b: any_field):
        for i in b:
            for _k in range(trips[None]):
                b[i] = 0.5 * b[i] * b[i] + a[i]

    @kernel
    def masked_update(mask: any_field, x: any_field, b: any_field):
        for i in b:
            if mask[i]:
                b[i] = x[i] * b[i] * b[i]

    @kernel
    def masked_loop(hidden: any_field, x: any_field, y: any_field):
        for i in y:
            s = x[i]
            for j in range(x.shape[0]):
                if not hidden[j]:
                    s = 0.25 * s * s + 0.1 * x[j]
            y[i] = s

    @kernel
    def smallest(x: any_field, least: any_field):
        for i in x:
            ti.atomic_min(least[0], x[i] * x[i])

    @kernel
    def largest(x: any_field, most: any_field):
        for i in x:
            ti.atomic_max(most[0], x[i] * x[i])

    @kernel
    def stencil_in_place(a: any_field):
        for _i in range(1):
            for j in range(1, a.shape[0]):
                a[j] = 0.5 * a[j - 1] * a[j]

    @kernel
    def result_of_an_atomic(x: any_field, total: any_field, before: any_field):
        for i in x:
            old = ti.atomic_add(total[0], x[i])
            before[i] = old * x[i]

    hostile_in_taichi.add(ti, kernel, product_of_quaternions)

    class Launch:
        """A sequence of kernels, with their fields by name."""

        def __init__(self, case):
            settings = {"ad_stack_experimental_enabled": True} if ti.__name__ == "quadrants" else {}
            # Fast math assumes that no value is NaN.
            settings["fast_math"] = "launches" not in case
            scalars = {"bool": ti.i32, "i32": ti.i32, "u32": ti.u32, **dict.fromkeys(("f32", "Vec2", "Vec3", "Quat"), ti.f32)}
            types = {param["name"]: scalars.get(param["type"], ti.f64) for param in case["params"]}
            default = ti.f64 if ti.f64 in types.values() else ti.f32
            ti.init(arch=ti.cpu, default_fp=default, log_level=ti.ERROR, **settings)
            self.steps = [(kernels[name], names_of[name]) for name in case.get("launches", [case["kernel"]])]
            self.fields = {}
            for param in case["params"]:
                scalar = types[param["name"]]
                shape = len(param["data"]) // param["components"] if param["array"] else ()
                needs_grad = scalar in (ti.f32, ti.f64)
                if param["components"] > 1:
                    field = ti.Vector.field(param["components"], scalar, shape=shape, needs_grad=needs_grad)
                else:
                    field = ti.field(scalar, shape=shape, needs_grad=needs_grad)
                self.fields[param["name"]] = field

        def fill(self, values):
            for name, field in self.fields.items():
                data = np.asarray(values[name])
                data = data.astype(np.int32) if data.dtype == bool else data
                field.from_numpy(data.reshape(field.to_numpy().shape))

        def launch(self, values):
            self.fill(values)
            for kernel, names in self.steps:
                kernel(*[self.fields[name] for name in names])
            return {name: field.to_numpy().reshape(-1) for name, field in self.fields.items()}

        def gradient(self, values, weights):
            self.launch(values)
            floats = {name: field for name, field in self.fields.items() if np.asarray(values[name]).dtype.kind == "f"}
            for name, field in floats.items():
                seed = weights.get(name, np.zeros(np.asarray(values[name]).shape))
                field.grad.from_numpy(seed.reshape(field.to_numpy().shape))
            for kernel, names in reversed(self.steps):
                kernel.grad(*[self.fields[name] for name in names])
            return {name: field.grad.to_numpy().reshape(-1) for name, field in floats.items()}

    return types.SimpleNamespace(
        Launch=Launch,
        OTHER_FORWARD=set(),
        NOT_EXPRESSIBLE={"return_in_a_loop": hostile_in_taichi.NO_RETURN, **hostile_in_taichi.NOT_EXPRESSIBLE},
        NOTES={},
    )
