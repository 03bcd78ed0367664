"""The torture cases with infinity and NaN in PyTorch. `torch.where` chooses between values that are both computed."""

import math

import torch
from in_torch import kernel, product_of_quaternions


# ---- Overflow ------------------------------------------------------------------------------------------------------


@kernel
def factor_of_an_overflow(a, x):
    return a * (x * x)


@kernel
def factor_of_an_overflow_f64(a, x):
    return a * (x * x)


@kernel
def guarded_product(x):
    return torch.where(x[0] < 1e10, x[0] * x[1], 2.0 * x[0])


@kernel
def guarded_product_f64(x):
    return torch.where(x[0] < 1e100, x[0] * x[0] * x[1], x[1] * x[1])


@kernel
def guarded_quotient(x):
    return torch.where(torch.abs(x[1]) > 0.25, x[0] / x[1], x[0] * x[0])


@kernel
def guarded_dot(x):
    dot = torch.dot(x[0], x[1])
    return torch.where(dot < 1e30, dot, x[0, 1] * x[1, 2])


@kernel
def guarded_cast(x):
    narrow = (x[0] * x[0]).to(torch.float32)
    return torch.where(x[0] < 1e10, narrow * narrow, (x[1] * x[1]).to(torch.float32))


@kernel
def guarded_sum(x):
    total = torch.zeros_like(x[0])
    for k in range(len(x)):
        total = total + x[k]
    return torch.where(total < 1e30, total * total, x[0] * x[1])


@kernel
def bounded_length(v):
    return torch.minimum(torch.linalg.norm(v[0]), 5.0 * v[0, 1] * v[0, 2])


@kernel
def guarded_exponential(x):
    return torch.where(x[0] < 50.0, torch.exp(x[0]), 2.0 * x[0])


@kernel
def bounded_power(x):
    return torch.minimum((x[0] * x[0]) ** 4, x[1] * x[1] + 9.0)


@kernel
def guarded_polynomial(x):
    s = x[1]
    for _ in range(8):
        s = s * x[0] + x[1]
    return torch.where(torch.isfinite(s), s, x[0] * x[1])


@kernel
def returns_before_the_overflow(x):
    if x[0] > 1e10:
        return 0.5 * x[0]
    return x[0] * x[0] * x[0]


@kernel
def returns_from_the_loop(x):
    s = x[0]
    for _ in range(6):
        if s > 1e20:
            return 1e-20 * s
        s = s * s
    return s


@kernel
def sigmoid(x):
    return 1.0 / (1.0 + torch.exp(-x[0]))


@kernel
def guarded_softplus(x):
    return torch.where(x[0] < 20.0, torch.log(1.0 + torch.exp(x[0])), x[0])


@kernel
def robust_weight(x):
    r = x[0] * x[0]
    return x[1] / (1.0 + r * r) + x[1] * x[1]


@kernel
def gaussian_of_an_outlier(x):
    r = x[0] * x[0]
    return torch.exp(-(r * r)) * x[1] + x[1] * x[1]


@kernel
def integer_times_a_large_constant(n, a):
    return a * (n.to(torch.float32) * 1e37)


@kernel
def infinity_as_a_factor(x):
    return torch.where(x[1] > 0.25, x[0] * x[1], x[0] * math.inf)


@kernel
def guarded_rotation(q, v):
    q, v = q[0], v[0]
    product = product_of_quaternions(q, q)
    return torch.where(q[0] < 1e10, torch.dot(product, q), torch.dot(v, v))


@kernel
def guarded_determinant(c):
    return torch.where(c[0, 0] < 1e100, torch.linalg.det(c.T), c[1, 1] * c[2, 2])


# ---- Searches ------------------------------------------------------------------------------------------------------


@kernel
def nearest_by_branches(x):
    nearest = torch.tensor(math.inf, dtype=x.dtype)
    for k in range(len(x)):
        t = 2.0 / (x[k] * x[k])
        nearest = torch.where(t < nearest, t, nearest)
    return nearest * nearest


@kernel
def nearest_by_min(x):
    nearest = torch.tensor(math.inf, dtype=x.dtype)
    for k in range(len(x)):
        nearest = torch.minimum(nearest, 2.0 / (x[k] * x[k]))
    return nearest * nearest


@kernel
def weighted_by_the_nearest(x):
    nearest, weight = torch.tensor(math.inf, dtype=x.dtype), torch.zeros_like(x[0])
    for k in range(len(x)):
        closer = x[k] < nearest
        weight = torch.where(closer, weight + torch.clamp(nearest * x[k], max=8.0), weight)
        nearest = torch.where(closer, x[k], nearest)
    return nearest * weight


@kernel
def two_nearest(x):
    first = second = torch.tensor(math.inf, dtype=x.dtype)
    for k in range(len(x)):
        d = x[k] * x[k]
        second = torch.where(d < first, first, torch.where(d < second, d, second))
        first = torch.where(d < first, d, first)
    return second / first


@kernel
def largest_from_minus_infinity(x):
    top = torch.tensor(-math.inf, dtype=x.dtype)
    for k in range(len(x)):
        top = torch.maximum(top, torch.log(x[k]))
    return top * top


@kernel
def smallest_from_nan(x):
    least = torch.tensor(math.nan, dtype=x.dtype)
    for k in range(len(x)):
        least = torch.fmin(least, x[k] * x[k])
    return least


@kernel
def ray_and_sphere(x):
    discriminant = x[0] * x[0] - x[1]
    return torch.where(discriminant > 0.0, x[0] - torch.sqrt(discriminant), x[0] * x[1])


@kernel
def ray_and_box(ray):
    inverse = 1.0 / ray[1]
    near, far = (-2.0 - ray[0]) * inverse, (2.0 - ray[0]) * inverse
    entry, exit = torch.max(torch.minimum(near, far)), torch.min(torch.maximum(near, far))
    return exit * exit + entry


@kernel
def clamped_ratio(x):
    return torch.clamp(x[0] / (x[1] * x[1]), 0.0, 4.0) * x[0]


@kernel
def min_leaves_out_infinity(x):
    return torch.minimum(1.0 / (x[0] * x[0]), x[1] * x[1])


@kernel
def max_leaves_out_a_logarithm(x):
    return torch.maximum(torch.log(x[0] * x[0]), x[1] * x[1] - 3.0)


@kernel
def max_leaves_out_nan(x):
    return torch.fmax(x[0] * x[0], x[1] * x[1])


@kernel
def min_of_vectors(v):
    return torch.sum(torch.minimum(v[0] / (v[1] * v[1]), v[2] * v[2]))


@kernel
def largest_component(x):
    return torch.max(torch.stack([torch.log(x[0] * x[0]), x[1] * x[2], -1.0 / (x[0] * x[0])])) * x[2]


# ---- Missing data --------------------------------------------------------------------------------------------------


@kernel
def factor_of_missing(a, x):
    return torch.where(torch.isnan(x), 0.0, a * x)


@kernel
def factor_under_a_mask(a, mask, x):
    return torch.where(mask == 0, 0.0, a * x * x)


@kernel
def distances_from_a_center(center, points):
    distance = torch.sum((points - center) ** 2, dim=1)
    return torch.where(distance < 1e30, distance, 0.0)


@kernel
def total_of_present(a, x):
    return torch.sum(torch.where(x < 1e10, a * x * x, 0.0))


@kernel
def recurrence_of_many_threads(a, x):
    rows = x.reshape(-1, 8)
    s = torch.zeros_like(rows[:, 0])
    for k in range(8):
        s = s + a * rows[:, k] * rows[:, k]
    return s


@kernel
def residuals_of_a_line(slope, offset, x, label):
    residual = slope * x + offset - label
    return torch.where(torch.isnan(label), 0.0, residual * residual)


@kernel
def missing_neighbour(x):
    mean = 0.5 * (x[:-1] + x[1:]) * x[:-1]
    return torch.where(torch.isnan(x[1:]) | torch.isnan(x[:-1]), 1.0, mean)


@kernel
def sum_of_present(x):
    return torch.sum(torch.where(torch.isnan(x), 0.0, x * x))


@kernel
def mean_of_present(x):
    present = torch.isfinite(x)
    return torch.sqrt(torch.sum(torch.where(present, x * x, 0.0)) / torch.sum(present))


@kernel
def turned_points(q, points):
    pure = torch.cat([points, torch.zeros_like(points[:, :1])], dim=1)
    conjugate = q * torch.tensor([-1, -1, -1, 1], dtype=q.dtype)
    turned = product_of_quaternions(product_of_quaternions(q.expand_as(pure), pure), conjugate.expand_as(pure))
    return torch.where(torch.isnan(points[:, 0]), 0.0, turned[:, 0] * turned[:, 1])


@kernel
def transformed_points(first, points):
    matrices = torch.stack([first.expand_as(points), points], dim=2)
    moved = (matrices @ points[:, :, None])[:, :, 0]
    return torch.where(torch.isfinite(points[:, 1]), moved[:, 0] * moved[:, 1], 3.0)


# ---- Vectors, matrices, quaternions ------------------------------------------------------------------------------------


@kernel
def unused_inverse(c):
    m = torch.stack([c[0], torch.stack([-c[1, 0], c[1, 1]])], dim=1)
    solved = torch.linalg.inv(m) @ c[1]
    return torch.where(torch.abs(torch.linalg.det(m)) > 0.5, solved[0], c[0, 0] * c[1, 1])


@kernel
def unused_inverse_f64(c):
    m = c.T + torch.eye(3, dtype=c.dtype)
    solved = torch.linalg.inv(m) @ c[0]
    return torch.where(torch.abs(torch.linalg.det(m)) > 0.1, solved[0], c[0, 0] * c[1, 1])


@kernel
def guarded_normal(v):
    length = torch.linalg.norm(v[0])
    return torch.where(length > 0.25, torch.dot(v[0] / length, v[1]), v[0, 0] * v[1, 1] + v[1, 2])


@kernel
def guarded_direction(v):
    offset = v[1] - v[0]
    direction = offset / torch.sqrt(torch.dot(offset, offset))
    return torch.where(torch.dot(offset, offset) > 0.1, direction[0], torch.dot(v[0], v[1]))


@kernel
def guarded_quaternion(q):
    unit = q[0] / torch.linalg.norm(q[0])
    return torch.where(torch.dot(q[0], q[0]) > 0.1, unit[0] * unit[3], q[0, 0] + 2.0 * q[0, 3])


@kernel
def rotation_vector(q):
    sine, angle = torch.sqrt(1.0 - q[0, 3] * q[0, 3]), 2.0 * torch.acos(q[0, 3])
    return torch.where(sine > 0.1, q[0, 0] / sine * angle, 2.0 * q[0, 0] + q[0, 1])


@kernel
def slerp(q):
    cosine = torch.dot(q[0], q[1])
    angle = torch.acos(cosine)
    along = q[0] * (torch.sin(0.75 * angle) / torch.sin(angle)) + q[1] * (torch.sin(0.25 * angle) / torch.sin(angle))
    straight = q[0] * 0.75 + q[1] * 0.25
    return torch.where(cosine > 0.9, straight[0] + straight[3], along[0])


@kernel
def angle_of_parallels(v):
    cosine = torch.dot(v[0], v[1])
    return torch.where(cosine < 0.9, torch.acos(cosine), torch.linalg.cross(v[0], v[1])[2] + cosine)


@kernel
def one_component_of_a_cross_product(v):
    return torch.linalg.cross(v[0], v[1])[0]


@kernel
def one_row_of_a_product(c):
    return (torch.stack([c[0], c[1]], dim=1) @ c[2])[1]


@kernel
def projection_on_nothing(v):
    projected = v[1] * (torch.dot(v[0], v[1]) / torch.dot(v[1], v[1]))
    return torch.where(torch.dot(v[1], v[1]) > 0.1, projected[0], v[0, 0] * v[0, 1])


@kernel
def barycentric(v):
    area = v[0, 0] * v[1, 1] - v[0, 1] * v[1, 0]
    first = (v[2, 0] * v[1, 1] - v[2, 1] * v[1, 0]) * (1.0 / area)
    return torch.where(torch.abs(area) > 0.1, first, v[2, 0] * v[2, 1])


@kernel
def half_way(v):
    total = v[0] + v[1]
    specular = total[0] / torch.linalg.norm(total)
    return torch.where(torch.dot(total, total) > 0.1, specular, v[0, 1] * v[1, 1])


@kernel
def total_reflection(x):
    k = 1.0 - x[0] * x[0] * (1.0 - x[1] * x[1])
    return torch.where(k > 0.0, x[0] * x[1] - torch.sqrt(k), x[0] * x[1])


@kernel
def square_of_a_length(v):
    length = torch.linalg.norm(v[0])
    return length * length


@kernel
def cube_of_a_distance(x):
    r = torch.sqrt(x[0] * x[0] + x[1] * x[1])
    return r * r * r


# ---- Iterations ----------------------------------------------------------------------------------------------------


@kernel
def rejected_iteration(x):
    v = x[0]
    for _ in range(20):
        v = v * v - x[1] * v
    return torch.where(torch.abs(v) < 10.0, v, x[0] * x[1])


@kernel
def rejected_newton(x):
    v = torch.clamp(x[1] - 1.0, min=0.0)
    for _ in range(6):
        v = v - (v * v - x[0]) / (2.0 * v)
    return torch.where(torch.isfinite(v), v, x[0] * x[0])


@kernel
def aitken(x):
    first = x[0] * x[0]
    second = first * first
    change = second - 2.0 * first + x[0]
    return torch.where(torch.abs(change) > 0.1, second - (second - first) ** 2 / change, second)


@kernel
def product_with_resets(x):
    product = torch.ones_like(x[0])
    for k in range(len(x)):
        product = product * x[k]
        product = torch.where(torch.isfinite(product), product, 1.0)
    return product


@kernel
def through_infinity(x):
    s = x[0]
    for k in range(1, len(x)):
        square = s * s
        s = 1.0 / (1.0 + square * square) + x[k] * x[k]
    return s


@kernel
def last_finite_power(x):
    s, kept = x[0], torch.zeros_like(x[0])
    for _ in range(8):
        kept = torch.where(torch.isfinite(s), s, kept)
        s = s * s
    return kept


@kernel
def while_finite(x):
    s, trips = x[0], 0
    while torch.isfinite(s) and trips < 3:
        square = s * s
        s = square * square
        trips += 1
    return torch.where(torch.isfinite(s), s, x[1] * trips)


@kernel
def leaves_at_infinity(x):
    s, total = x[0], x[1]
    for _ in range(10):
        square = s * s
        s = square * square
        if not torch.isfinite(s):
            break
        total = total * x[1] + 1.0 / (1.0 + s)
    return total


@kernel
def log_sum_exp(x):
    top = torch.max(x)
    return top + torch.log(torch.sum(torch.exp(x - top)))


@kernel
def masked_log_sum_exp(mask, x):
    return torch.log(torch.sum(torch.where(mask == 0, 0.0, torch.exp(x))))


@kernel
def masked_attention(mask, score, value):
    weight = torch.exp(torch.where(mask == 0, -math.inf, score * score))
    return torch.sum(weight * value) / torch.sum(weight)


@kernel
def entropy(p):
    return -torch.sum(torch.where(p > 0.1, p * torch.log(p), 0.0))


@kernel
def harmonic_mean(x):
    return 1.0 / torch.sum(torch.where(torch.abs(x) > 0.1, 1.0 / x, 0.0))


# ---- Masks ---------------------------------------------------------------------------------------------------------


@kernel
def masked_root(x):
    return torch.where(x[0] > 0.2, torch.sqrt(x[0]), x[0] * x[1])


@kernel
def masked_logarithm(x):
    return torch.where(x[0] > 0.2, torch.log(x[0]), x[0] * x[1])


@kernel
def masked_power(x):
    return torch.where(x[0] > 0.2, x[0] ** x[1], x[0] * x[1])


@kernel
def masked_quotient_of_itself(x):
    return torch.where(x[0] > 0.2, x[0] / x[0] * x[1], x[0] * x[1])


@kernel
def masked_cube_root(x):
    return torch.where(x[0] > 0.2, x[0] ** (1.0 / 3.0), x[0] * x[1])


@kernel
def masked_arc_sine(x):
    return torch.where(x[0] < 0.8, torch.asin(x[0] * x[0]), x[0] * x[1])


@kernel
def masked_arc_cosine(x):
    return torch.where(x[0] < 0.8, torch.acos(-x[0]), x[0] * x[1])


@kernel
def sinc(x):
    return torch.where(torch.abs(x[0]) > 0.1, torch.sin(x[0]) / x[0], 1.0 - x[0] * x[0] / 6.0 + 0.5 * x[0])


@kernel
def relative_growth(a, x):
    return torch.where(torch.abs(x) > 0.1, torch.expm1(a * x) / x, a + x)


@kernel
def masked_angle(x):
    return torch.where(torch.abs(x[0]) + torch.abs(x[1]) > 0.2, torch.atan2(x[0], x[1]), x[0] + 2.0 * x[1])


@kernel
def bump(x):
    return torch.exp(-1.0 / (x[0] * x[0])) + x[1] * x[1]


@kernel
def square_of_a_hypotenuse(x):
    h = torch.hypot(x[0], x[1])
    return h * h + x[0]


@kernel
def size_times_square(x):
    square = x[0] * x[0]
    return torch.sqrt(square) * square


@kernel
def roots(x):
    return {"middle": torch.sqrt(x)}


@kernel
def kept(mask, middle):
    return {"y": torch.where(mask == 0, 1.0, middle * middle * middle)}


@kernel
def quotients(a, x):
    return {"middle": a / (x * x)}


@kernel
def bounded(bound, middle):
    return {"y": torch.minimum(middle, bound * bound)}


# ---- Conventions ---------------------------------------------------------------------------------------------------


@kernel
def square_of_a_root(x):
    root = torch.sqrt(x[0])
    return root * root


@kernel
def parallel_resistors(x):
    return 1.0 / (1.0 / x[0] + 1.0 / x[1])


@kernel
def arc_tangent_of_a_reciprocal(x):
    return torch.atan(1.0 / x[0])


@kernel
def exponential_of_a_logarithm(x):
    return torch.exp(torch.log(x[0]))


@kernel
def cube_of_a_cube_root(x):
    root = x[0] ** (1.0 / 3.0)
    return root * root * root


@kernel
def power_of_a_power(x):
    root = x[0] ** 0.25
    return (root * root) * (root * root)


@kernel
def continued_fraction(x):
    s = x[0]
    for k in range(1, len(x)):
        s = x[k] + 1.0 / s
    return s


@kernel
def mean_of_equals_by_min_and_max(x):
    return torch.minimum(x[0], x[1]) + torch.maximum(x[0], x[1])


@kernel
def identity_by_two_ramps(x):
    zero = torch.zeros_like(x[0])
    return torch.maximum(x[0], zero) - torch.maximum(-x[0], zero)


@kernel
def stable_softplus(x):
    return torch.maximum(x[0], torch.zeros_like(x[0])) + torch.log1p(torch.exp(-torch.abs(x[0])))


@kernel
def root_of_a_masked_square(x, mask):
    return torch.sqrt(mask[0].to(x.dtype) * x[0] * x[0]) + x[1] * x[1]


@kernel
def root_of_a_fourth_power(x):
    square = x[0] * x[0]
    return torch.sqrt(square * square)
