"""The torture cases with infinity and NaN in JAX. `jnp.where` chooses between values that are both computed."""

import jax
import jax.numpy as jnp
from in_jax import kernel, loop, product_of_quaternions
from jax import lax


# ---- Overflow ------------------------------------------------------------------------------------------------------


@kernel
def factor_of_an_overflow(a, x):
    return a * (x * x)


@kernel
def factor_of_an_overflow_f64(a, x):
    return a * (x * x)


@kernel
def guarded_product(x):
    return jnp.where(x[0] < 1e10, x[0] * x[1], 2.0 * x[0])


@kernel
def guarded_product_f64(x):
    return jnp.where(x[0] < 1e100, x[0] * x[0] * x[1], x[1] * x[1])


@kernel
def guarded_quotient(x):
    return jnp.where(jnp.abs(x[1]) > 0.25, x[0] / x[1], x[0] * x[0])


@kernel
def guarded_dot(x):
    dot = jnp.dot(x[0], x[1])
    return jnp.where(dot < 1e30, dot, x[0, 1] * x[1, 2])


@kernel
def guarded_cast(x):
    narrow = (x[0] * x[0]).astype(jnp.float32)
    return jnp.where(x[0] < 1e10, narrow * narrow, (x[1] * x[1]).astype(jnp.float32))


@kernel
def guarded_sum(x):
    total = loop(len(x), lambda k, total: total + x[k], jnp.zeros_like(x[0]))
    return jnp.where(total < 1e30, total * total, x[0] * x[1])


@kernel
def bounded_length(v):
    return jnp.minimum(jnp.linalg.norm(v[0]), 5.0 * v[0, 1] * v[0, 2])


@kernel
def guarded_exponential(x):
    return jnp.where(x[0] < 50.0, jnp.exp(x[0]), 2.0 * x[0])


@kernel
def bounded_power(x):
    return jnp.minimum((x[0] * x[0]) ** 4, x[1] * x[1] + 9.0)


@kernel
def guarded_polynomial(x):
    s = loop(8, lambda _, s: s * x[0] + x[1], x[1])
    return jnp.where(jnp.isfinite(s), s, x[0] * x[1])


@kernel
def returns_before_the_overflow(x):
    return lax.cond(x[0] > 1e10, lambda x: 0.5 * x, lambda x: x * x * x, x[0])


@kernel
def returns_from_the_loop(x):
    def body(_, state):
        s, found = state
        found = found | (s > 1e20)
        return jnp.where(found, s, s * s), found

    s, found = loop(6, body, (x[0], jnp.array(False)))
    return jnp.where(found, 1e-20 * s, s)


@kernel
def sigmoid(x):
    return 1.0 / (1.0 + jnp.exp(-x[0]))


@kernel
def guarded_softplus(x):
    return jnp.where(x[0] < 20.0, jnp.log(1.0 + jnp.exp(x[0])), x[0])


@kernel
def robust_weight(x):
    r = x[0] * x[0]
    return x[1] / (1.0 + r * r) + x[1] * x[1]


@kernel
def gaussian_of_an_outlier(x):
    r = x[0] * x[0]
    return jnp.exp(-(r * r)) * x[1] + x[1] * x[1]


@kernel
def integer_times_a_large_constant(n, a):
    return a * (n.astype(jnp.float32) * 1e37)


@kernel
def infinity_as_a_factor(x):
    return jnp.where(x[1] > 0.25, x[0] * x[1], x[0] * jnp.inf)


@kernel
def guarded_rotation(q, v):
    q, v = q[0], v[0]
    product = product_of_quaternions(q, q)
    return jnp.where(q[0] < 1e10, jnp.dot(product, q), jnp.dot(v, v))


@kernel
def guarded_determinant(c):
    return jnp.where(c[0, 0] < 1e100, jnp.linalg.det(c.T), c[1, 1] * c[2, 2])


# ---- Searches ------------------------------------------------------------------------------------------------------


@kernel
def nearest_by_branches(x):
    def body(k, nearest):
        t = 2.0 / (x[k] * x[k])
        return jnp.where(t < nearest, t, nearest)

    nearest = loop(len(x), body, jnp.array(jnp.inf, x.dtype))
    return nearest * nearest


@kernel
def nearest_by_min(x):
    nearest = loop(len(x), lambda k, nearest: jnp.minimum(nearest, 2.0 / (x[k] * x[k])), jnp.array(jnp.inf, x.dtype))
    return nearest * nearest


@kernel
def weighted_by_the_nearest(x):
    def body(k, state):
        nearest, weight = state
        closer = x[k] < nearest
        weight = jnp.where(closer, weight + jnp.minimum(nearest * x[k], 8.0), weight)
        return jnp.where(closer, x[k], nearest), weight

    nearest, weight = loop(len(x), body, (jnp.array(jnp.inf, x.dtype), jnp.zeros_like(x[0])))
    return nearest * weight


@kernel
def two_nearest(x):
    def body(k, state):
        first, second = state
        d = x[k] * x[k]
        second = jnp.where(d < first, first, jnp.where(d < second, d, second))
        return jnp.where(d < first, d, first), second

    first, second = loop(len(x), body, (jnp.array(jnp.inf, x.dtype), jnp.array(jnp.inf, x.dtype)))
    return second / first


@kernel
def largest_from_minus_infinity(x):
    top = loop(len(x), lambda k, top: jnp.maximum(top, jnp.log(x[k])), jnp.array(-jnp.inf, x.dtype))
    return top * top


@kernel
def smallest_from_nan(x):
    return loop(len(x), lambda k, least: jnp.fmin(least, x[k] * x[k]), jnp.array(jnp.nan, x.dtype))


@kernel
def ray_and_sphere(x):
    discriminant = x[0] * x[0] - x[1]
    return jnp.where(discriminant > 0.0, x[0] - jnp.sqrt(discriminant), x[0] * x[1])


@kernel
def ray_and_box(ray):
    inverse = 1.0 / ray[1]
    near, far = (-2.0 - ray[0]) * inverse, (2.0 - ray[0]) * inverse
    entry, exit = jnp.max(jnp.minimum(near, far)), jnp.min(jnp.maximum(near, far))
    return exit * exit + entry


@kernel
def clamped_ratio(x):
    return jnp.clip(x[0] / (x[1] * x[1]), 0.0, 4.0) * x[0]


@kernel
def min_leaves_out_infinity(x):
    return jnp.minimum(1.0 / (x[0] * x[0]), x[1] * x[1])


@kernel
def max_leaves_out_a_logarithm(x):
    return jnp.maximum(jnp.log(x[0] * x[0]), x[1] * x[1] - 3.0)


@kernel
def max_leaves_out_nan(x):
    return jnp.fmax(x[0] * x[0], x[1] * x[1])


@kernel
def min_of_vectors(v):
    return jnp.sum(jnp.minimum(v[0] / (v[1] * v[1]), v[2] * v[2]))


@kernel
def largest_component(x):
    return jnp.max(jnp.stack([jnp.log(x[0] * x[0]), x[1] * x[2], -1.0 / (x[0] * x[0])])) * x[2]


# ---- Missing data --------------------------------------------------------------------------------------------------


@kernel
def factor_of_missing(a, x):
    return jnp.where(jnp.isnan(x), 0.0, a * x)


@kernel
def factor_under_a_mask(a, mask, x):
    return jnp.where(mask == 0, 0.0, a * x * x)


@kernel
def distances_from_a_center(center, points):
    distance = jnp.sum((points - center) ** 2, axis=1)
    return jnp.where(distance < 1e30, distance, 0.0)


@kernel
def total_of_present(a, x):
    return jnp.sum(jnp.where(x < 1e10, a * x * x, 0.0))


@kernel
def recurrence_of_many_threads(a, x):
    rows = x.reshape(-1, 8)
    return loop(8, lambda k, s: s + a * rows[:, k] * rows[:, k], jnp.zeros_like(rows[:, 0]))


@kernel
def residuals_of_a_line(slope, offset, x, label):
    residual = slope * x + offset - label
    return jnp.where(jnp.isnan(label), 0.0, residual * residual)


@kernel
def missing_neighbour(x):
    mean = 0.5 * (x[:-1] + x[1:]) * x[:-1]
    return jnp.where(jnp.isnan(x[1:]) | jnp.isnan(x[:-1]), 1.0, mean)


@kernel
def sum_of_present(x):
    return jnp.sum(jnp.where(jnp.isnan(x), 0.0, x * x))


@kernel
def mean_of_present(x):
    present = jnp.isfinite(x)
    return jnp.sqrt(jnp.sum(jnp.where(present, x * x, 0.0)) / jnp.sum(present))


@kernel
def turned_points(q, points):
    def one(point):
        pure = jnp.append(point, 0.0)
        turned = product_of_quaternions(product_of_quaternions(q, pure), q * jnp.array([-1, -1, -1, 1], q.dtype))
        return jnp.where(jnp.isnan(point[0]), 0.0, turned[0] * turned[1])

    return jax.vmap(one)(points)


@kernel
def transformed_points(first, points):
    def one(point):
        moved = jnp.stack([first, point], axis=1) @ point
        return jnp.where(jnp.isfinite(point[1]), moved[0] * moved[1], 3.0)

    return jax.vmap(one)(points)


# ---- Vectors, matrices, quaternions ------------------------------------------------------------------------------------


@kernel
def unused_inverse(c):
    m = jnp.stack([c[0], jnp.stack([-c[1, 0], c[1, 1]])], axis=1)
    solved = jnp.linalg.inv(m) @ c[1]
    return jnp.where(jnp.abs(jnp.linalg.det(m)) > 0.5, solved[0], c[0, 0] * c[1, 1])


@kernel
def unused_inverse_f64(c):
    m = c.T + jnp.eye(3)
    solved = jnp.linalg.inv(m) @ c[0]
    return jnp.where(jnp.abs(jnp.linalg.det(m)) > 0.1, solved[0], c[0, 0] * c[1, 1])


@kernel
def guarded_normal(v):
    length = jnp.linalg.norm(v[0])
    return jnp.where(length > 0.25, jnp.dot(v[0] / length, v[1]), v[0, 0] * v[1, 1] + v[1, 2])


@kernel
def guarded_direction(v):
    offset = v[1] - v[0]
    direction = offset / jnp.sqrt(jnp.dot(offset, offset))
    return jnp.where(jnp.dot(offset, offset) > 0.1, direction[0], jnp.dot(v[0], v[1]))


@kernel
def guarded_quaternion(q):
    unit = q[0] / jnp.linalg.norm(q[0])
    return jnp.where(jnp.dot(q[0], q[0]) > 0.1, unit[0] * unit[3], q[0, 0] + 2.0 * q[0, 3])


@kernel
def rotation_vector(q):
    sine, angle = jnp.sqrt(1.0 - q[0, 3] * q[0, 3]), 2.0 * jnp.arccos(q[0, 3])
    return jnp.where(sine > 0.1, q[0, 0] / sine * angle, 2.0 * q[0, 0] + q[0, 1])


@kernel
def slerp(q):
    cosine = jnp.dot(q[0], q[1])
    angle = jnp.arccos(cosine)
    along = q[0] * (jnp.sin(0.75 * angle) / jnp.sin(angle)) + q[1] * (jnp.sin(0.25 * angle) / jnp.sin(angle))
    straight = q[0] * 0.75 + q[1] * 0.25
    return jnp.where(cosine > 0.9, straight[0] + straight[3], along[0])


@kernel
def angle_of_parallels(v):
    cosine = jnp.dot(v[0], v[1])
    return jnp.where(cosine < 0.9, jnp.arccos(cosine), jnp.cross(v[0], v[1])[2] + cosine)


@kernel
def one_component_of_a_cross_product(v):
    return jnp.cross(v[0], v[1])[0]


@kernel
def one_row_of_a_product(c):
    return (jnp.stack([c[0], c[1]], axis=1) @ c[2])[1]


@kernel
def projection_on_nothing(v):
    projected = v[1] * (jnp.dot(v[0], v[1]) / jnp.dot(v[1], v[1]))
    return jnp.where(jnp.dot(v[1], v[1]) > 0.1, projected[0], v[0, 0] * v[0, 1])


@kernel
def barycentric(v):
    area = v[0, 0] * v[1, 1] - v[0, 1] * v[1, 0]
    first = (v[2, 0] * v[1, 1] - v[2, 1] * v[1, 0]) * (1.0 / area)
    return jnp.where(jnp.abs(area) > 0.1, first, v[2, 0] * v[2, 1])


@kernel
def half_way(v):
    total = v[0] + v[1]
    specular = total[0] / jnp.linalg.norm(total)
    return jnp.where(jnp.dot(total, total) > 0.1, specular, v[0, 1] * v[1, 1])


@kernel
def total_reflection(x):
    k = 1.0 - x[0] * x[0] * (1.0 - x[1] * x[1])
    return jnp.where(k > 0.0, x[0] * x[1] - jnp.sqrt(k), x[0] * x[1])


@kernel
def square_of_a_length(v):
    length = jnp.linalg.norm(v[0])
    return length * length


@kernel
def cube_of_a_distance(x):
    r = jnp.sqrt(x[0] * x[0] + x[1] * x[1])
    return r * r * r


# ---- Iterations ----------------------------------------------------------------------------------------------------


@kernel
def rejected_iteration(x):
    v = loop(20, lambda _, v: v * v - x[1] * v, x[0])
    return jnp.where(jnp.abs(v) < 10.0, v, x[0] * x[1])


@kernel
def rejected_newton(x):
    v = loop(6, lambda _, v: v - (v * v - x[0]) / (2.0 * v), jnp.maximum(x[1] - 1.0, 0.0))
    return jnp.where(jnp.isfinite(v), v, x[0] * x[0])


@kernel
def aitken(x):
    first = x[0] * x[0]
    second = first * first
    change = second - 2.0 * first + x[0]
    return jnp.where(jnp.abs(change) > 0.1, second - (second - first) ** 2 / change, second)


@kernel
def product_with_resets(x):
    def body(k, product):
        product = product * x[k]
        return jnp.where(jnp.isfinite(product), product, 1.0)

    return loop(len(x), body, jnp.ones_like(x[0]))


@kernel
def through_infinity(x):
    return loop(len(x) - 1, lambda k, s: 1.0 / (1.0 + (s * s) * (s * s)) + x[k + 1] * x[k + 1], x[0])


@kernel
def last_finite_power(x):
    def body(_, state):
        s, kept = state
        return s * s, jnp.where(jnp.isfinite(s), s, kept)

    return loop(8, body, (x[0], jnp.zeros_like(x[0])))[1]


@kernel
def while_finite(x):
    def going(state):
        s, trips = state
        return jnp.isfinite(s) & (trips < 3)

    def body(state):
        s, trips = state
        return (s * s) * (s * s), trips + 1

    s, trips = lax.while_loop(going, body, (x[0], 0))
    return jnp.where(jnp.isfinite(s), s, x[1] * trips)


@kernel
def leaves_at_infinity(x):
    def body(_, state):
        s, total, going = state
        s = (s * s) * (s * s)
        going = going & jnp.isfinite(s)
        return s, jnp.where(going, total * x[1] + 1.0 / (1.0 + s), total), going

    return loop(10, body, (x[0], x[1], jnp.array(True)))[1]


@kernel
def log_sum_exp(x):
    top = jnp.max(x)
    return top + jnp.log(jnp.sum(jnp.exp(x - top)))


@kernel
def masked_log_sum_exp(mask, x):
    return jnp.log(jnp.sum(jnp.where(mask == 0, 0.0, jnp.exp(x))))


@kernel
def masked_attention(mask, score, value):
    weight = jnp.exp(jnp.where(mask == 0, -jnp.inf, score * score))
    return jnp.sum(weight * value) / jnp.sum(weight)


@kernel
def entropy(p):
    return -jnp.sum(jnp.where(p > 0.1, p * jnp.log(p), 0.0))


@kernel
def harmonic_mean(x):
    return 1.0 / jnp.sum(jnp.where(jnp.abs(x) > 0.1, 1.0 / x, 0.0))


# ---- Masks ---------------------------------------------------------------------------------------------------------


@kernel
def masked_root(x):
    return jnp.where(x[0] > 0.2, jnp.sqrt(x[0]), x[0] * x[1])


@kernel
def masked_logarithm(x):
    return jnp.where(x[0] > 0.2, jnp.log(x[0]), x[0] * x[1])


@kernel
def masked_power(x):
    return jnp.where(x[0] > 0.2, x[0] ** x[1], x[0] * x[1])


@kernel
def masked_quotient_of_itself(x):
    return jnp.where(x[0] > 0.2, x[0] / x[0] * x[1], x[0] * x[1])


@kernel
def masked_cube_root(x):
    return jnp.where(x[0] > 0.2, jnp.cbrt(x[0]), x[0] * x[1])


@kernel
def masked_arc_sine(x):
    return jnp.where(x[0] < 0.8, jnp.arcsin(x[0] * x[0]), x[0] * x[1])


@kernel
def masked_arc_cosine(x):
    return jnp.where(x[0] < 0.8, jnp.arccos(-x[0]), x[0] * x[1])


@kernel
def sinc(x):
    return jnp.where(jnp.abs(x[0]) > 0.1, jnp.sin(x[0]) / x[0], 1.0 - x[0] * x[0] / 6.0 + 0.5 * x[0])


@kernel
def relative_growth(a, x):
    return jnp.where(jnp.abs(x) > 0.1, jnp.expm1(a * x) / x, a + x)


@kernel
def masked_angle(x):
    return jnp.where(jnp.abs(x[0]) + jnp.abs(x[1]) > 0.2, jnp.arctan2(x[0], x[1]), x[0] + 2.0 * x[1])


@kernel
def bump(x):
    return jnp.exp(-1.0 / (x[0] * x[0])) + x[1] * x[1]


@kernel
def square_of_a_hypotenuse(x):
    h = jnp.hypot(x[0], x[1])
    return h * h + x[0]


@kernel
def size_times_square(x):
    square = x[0] * x[0]
    return jnp.sqrt(square) * square


@kernel
def roots(x):
    return {"middle": jnp.sqrt(x)}


@kernel
def kept(mask, middle):
    return {"y": jnp.where(mask == 0, 1.0, middle * middle * middle)}


@kernel
def quotients(a, x):
    return {"middle": a / (x * x)}


@kernel
def bounded(bound, middle):
    return {"y": jnp.minimum(middle, bound * bound)}


# ---- Conventions ---------------------------------------------------------------------------------------------------


@kernel
def square_of_a_root(x):
    root = jnp.sqrt(x[0])
    return root * root


@kernel
def parallel_resistors(x):
    return 1.0 / (1.0 / x[0] + 1.0 / x[1])


@kernel
def arc_tangent_of_a_reciprocal(x):
    return jnp.arctan(1.0 / x[0])


@kernel
def exponential_of_a_logarithm(x):
    return jnp.exp(jnp.log(x[0]))


@kernel
def cube_of_a_cube_root(x):
    root = jnp.cbrt(x[0])
    return root * root * root


@kernel
def power_of_a_power(x):
    root = x[0] ** jnp.float32(0.25)
    return (root * root) * (root * root)


@kernel
def continued_fraction(x):
    return loop(len(x) - 1, lambda k, s: x[k + 1] + 1.0 / s, x[0])


@kernel
def mean_of_equals_by_min_and_max(x):
    return jnp.minimum(x[0], x[1]) + jnp.maximum(x[0], x[1])


@kernel
def identity_by_two_ramps(x):
    return jnp.maximum(x[0], 0.0) - jnp.maximum(-x[0], 0.0)


@kernel
def stable_softplus(x):
    return jnp.maximum(x[0], 0.0) + jnp.log1p(jnp.exp(-jnp.abs(x[0])))


@kernel
def root_of_a_masked_square(x, mask):
    return jnp.sqrt(mask[0].astype(x.dtype) * x[0] * x[0]) + x[1] * x[1]


@kernel
def root_of_a_fourth_power(x):
    square = x[0] * x[0]
    return jnp.sqrt(square * square)
