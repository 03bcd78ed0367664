"""The torture cases with infinity and NaN in NVIDIA Warp."""

import warp as wp
from in_warp import Floats, Integers, Quaternions, Vectors, f, kernel

Singles = wp.array(dtype=wp.float32)
Vectors2 = wp.array(dtype=wp.vec2)
Vectors2d = wp.array(dtype=wp.vec2d)
Vectors3 = wp.array(dtype=wp.vec3)
Quaternions32 = wp.array(dtype=wp.quat)


# ---- Overflow ------------------------------------------------------------------------------------------------------


@kernel
def factor_of_an_overflow(a: Singles, x: Singles, y: Singles):
    i = wp.tid()
    y[i] = a[0] * (x[i] * x[i])


@kernel
def factor_of_an_overflow_f64(a: Floats, x: Floats, y: Floats):
    i = wp.tid()
    y[i] = a[0] * (x[i] * x[i])


@kernel
def guarded_product(x: Singles, y: Singles):
    i = wp.tid()
    product = x[0] * x[1]
    if x[0] < 1e10:
        y[i] = product
    else:
        y[i] = 2.0 * x[0]


@kernel
def guarded_product_f64(x: Floats, y: Floats):
    i = wp.tid()
    product = x[0] * x[0] * x[1]
    if x[0] < f(1e100):
        y[i] = product
    else:
        y[i] = x[1] * x[1]


@kernel
def guarded_quotient(x: Singles, y: Singles):
    i = wp.tid()
    quotient = x[0] / x[1]
    if wp.abs(x[1]) > 0.25:
        y[i] = quotient
    else:
        y[i] = x[0] * x[0]


@kernel
def guarded_dot(x: Vectors3, y: Singles):
    i = wp.tid()
    dot = wp.dot(x[0], x[1])
    if dot < 1e30:
        y[i] = dot
    else:
        y[i] = x[0][1] * x[1][2]


@kernel
def guarded_cast(x: Floats, y: Singles):
    i = wp.tid()
    narrow = wp.float32(x[0] * x[0])
    square = narrow * narrow
    if x[0] < f(1e10):
        y[i] = square
    else:
        y[i] = wp.float32(x[1] * x[1])


@kernel
def guarded_sum(x: Singles, y: Singles):
    i = wp.tid()
    total = float(0.0)
    for k in range(x.shape[0]):
        total += x[k]
    mean = total * total
    if total < 1e30:
        y[i] = mean
    else:
        y[i] = x[0] * x[1]


@kernel
def bounded_length(v: Vectors3, y: Singles):
    i = wp.tid()
    y[i] = wp.min(wp.length(v[0]), 5.0 * v[0][1] * v[0][2])


@kernel
def guarded_exponential(x: Singles, y: Singles):
    i = wp.tid()
    exponential = wp.exp(x[0])
    if x[0] < 50.0:
        y[i] = exponential
    else:
        y[i] = 2.0 * x[0]


@kernel
def bounded_power(x: Singles, y: Singles):
    i = wp.tid()
    y[i] = wp.min(wp.pow(x[0] * x[0], 4.0), x[1] * x[1] + 9.0)


@kernel
def guarded_polynomial(x: Singles, y: Singles):
    i = wp.tid()
    s = x[1]
    for _k in range(8):
        s = s * x[0] + x[1]
    if wp.isfinite(s):
        y[i] = s
    else:
        y[i] = x[0] * x[1]


@kernel
def returns_before_the_overflow(x: Singles, y: Singles):
    i = wp.tid()
    if x[0] > 1e10:
        y[i] = 0.5 * x[0]
        return
    y[i] = x[0] * x[0] * x[0]


@kernel
def returns_from_the_loop(x: Singles, y: Singles):
    i = wp.tid()
    s = x[0]
    for _k in range(6):
        if s > 1e20:
            y[i] = 1e-20 * s
            return
        s = s * s
    y[i] = s


@kernel
def sigmoid(x: Singles, y: Singles):
    i = wp.tid()
    y[i] = 1.0 / (1.0 + wp.exp(-x[0]))


@kernel
def guarded_softplus(x: Singles, y: Singles):
    i = wp.tid()
    formula = wp.log(1.0 + wp.exp(x[0]))
    if x[0] < 20.0:
        y[i] = formula
    else:
        y[i] = x[0]


@kernel
def robust_weight(x: Singles, y: Singles):
    i = wp.tid()
    r = x[0] * x[0]
    y[i] = x[1] / (1.0 + r * r) + x[1] * x[1]


@kernel
def gaussian_of_an_outlier(x: Floats, y: Floats):
    i = wp.tid()
    r = x[0] * x[0]
    y[i] = wp.exp(-(r * r)) * x[1] + x[1] * x[1]


@kernel
def integer_times_a_large_constant(n: Integers, a: Singles, y: Singles):
    i = wp.tid()
    y[i] = a[0] * (float(n[i]) * 1e37)


@kernel
def infinity_as_a_factor(x: Singles, y: Singles):
    i = wp.tid()
    product = x[0] * wp.inf
    if x[1] > 0.25:
        y[i] = x[0] * x[1]
    else:
        y[i] = product


@kernel
def guarded_rotation(q: Quaternions32, v: Vectors3, y: Singles):
    i = wp.tid()
    product = q[0] * q[0]
    inner = wp.dot(product, q[0])
    if q[0][0] < 1e10:
        y[i] = inner
    else:
        y[i] = wp.dot(v[0], v[0])


@kernel
def guarded_determinant(c: Vectors, y: Floats):
    i = wp.tid()
    determinant = wp.determinant(wp.matrix_from_cols(c[0], c[1], c[2]))
    if c[0][0] < f(1e100):
        y[i] = determinant
    else:
        y[i] = c[1][1] * c[2][2]


# ---- Searches ------------------------------------------------------------------------------------------------------


@kernel
def nearest_by_branches(x: Singles, y: Singles):
    i = wp.tid()
    nearest = float(wp.inf)
    for k in range(x.shape[0]):
        t = 2.0 / (x[k] * x[k])
        if t < nearest:
            nearest = t
    y[i] = nearest * nearest


@kernel
def nearest_by_min(x: Floats, y: Floats):
    i = wp.tid()
    nearest = f(wp.inf)
    for k in range(x.shape[0]):
        nearest = wp.min(nearest, f(2.0) / (x[k] * x[k]))
    y[i] = nearest * nearest


@kernel
def weighted_by_the_nearest(x: Singles, y: Singles):
    i = wp.tid()
    nearest = float(wp.inf)
    weight = float(0.0)
    for k in range(x.shape[0]):
        scaled = nearest * x[k]
        if x[k] < nearest:
            weight += wp.min(scaled, 8.0)
            nearest = x[k]
    y[i] = nearest * weight


@kernel
def two_nearest(x: Singles, y: Singles):
    i = wp.tid()
    first = float(wp.inf)
    second = float(wp.inf)
    for k in range(x.shape[0]):
        d = x[k] * x[k]
        if d < first:
            second = first
            first = d
        elif d < second:
            second = d
    y[i] = second / first


@kernel
def largest_from_minus_infinity(x: Singles, y: Singles):
    i = wp.tid()
    top = float(-wp.inf)
    for k in range(x.shape[0]):
        top = wp.max(top, wp.log(x[k]))
    y[i] = top * top


@kernel
def smallest_from_nan(x: Singles, y: Singles):
    i = wp.tid()
    least = float(wp.nan)
    for k in range(x.shape[0]):
        least = wp.min(least, x[k] * x[k])
    y[i] = least


@kernel
def ray_and_sphere(x: Singles, y: Singles):
    i = wp.tid()
    discriminant = x[0] * x[0] - x[1]
    t = x[0] - wp.sqrt(discriminant)
    if discriminant > 0.0:
        y[i] = t
    else:
        y[i] = x[0] * x[1]


@kernel
def ray_and_box(ray: Vectors3, y: Singles):
    i = wp.tid()
    inverse = wp.cw_div(wp.vec3(1.0, 1.0, 1.0), ray[1])
    near = wp.cw_mul(wp.vec3(-2.0, -2.0, -2.0) - ray[0], inverse)
    far = wp.cw_mul(wp.vec3(2.0, 2.0, 2.0) - ray[0], inverse)
    entry = wp.max(wp.min(near, far))
    exit = wp.min(wp.max(near, far))
    y[i] = exit * exit + entry


@kernel
def clamped_ratio(x: Singles, y: Singles):
    i = wp.tid()
    y[i] = wp.clamp(x[0] / (x[1] * x[1]), 0.0, 4.0) * x[0]


@kernel
def min_leaves_out_infinity(x: Singles, y: Singles):
    i = wp.tid()
    y[i] = wp.min(1.0 / (x[0] * x[0]), x[1] * x[1])


@kernel
def max_leaves_out_a_logarithm(x: Floats, y: Floats):
    i = wp.tid()
    y[i] = wp.max(wp.log(x[0] * x[0]), x[1] * x[1] - f(3.0))


@kernel
def max_leaves_out_nan(x: Singles, y: Singles):
    i = wp.tid()
    y[i] = wp.max(x[0] * x[0], x[1] * x[1])


@kernel
def min_of_vectors(v: Vectors3, y: Singles):
    i = wp.tid()
    least = wp.min(wp.cw_div(v[0], wp.cw_mul(v[1], v[1])), wp.cw_mul(v[2], v[2]))
    y[i] = least[0] + least[1] + least[2]


@kernel
def largest_component(x: Floats, y: Floats):
    i = wp.tid()
    v = wp.vec3d(wp.log(x[0] * x[0]), x[1] * x[2], f(-1.0) / (x[0] * x[0]))
    y[i] = wp.max(v) * x[2]


# ---- Missing data --------------------------------------------------------------------------------------------------


@kernel
def factor_of_missing(a: Singles, x: Singles, y: Singles):
    i = wp.tid()
    product = a[0] * x[i]
    if wp.isnan(x[i]):
        y[i] = 0.0
    else:
        y[i] = product


@kernel
def factor_under_a_mask(a: Floats, mask: Integers, x: Floats, y: Floats):
    i = wp.tid()
    product = a[0] * x[i] * x[i]
    if mask[i] == 0:
        y[i] = f(0.0)
    else:
        y[i] = product


@kernel
def distances_from_a_center(center: Vectors3, points: Vectors3, y: Singles):
    i = wp.tid()
    distance = wp.length_sq(points[i] - center[0])
    if distance < 1e30:
        y[i] = distance
    else:
        y[i] = 0.0


@kernel
def total_of_present(a: Singles, x: Singles, total: Singles):
    i = wp.tid()
    square = a[0] * x[i] * x[i]
    if x[i] < 1e10:
        wp.atomic_add(total, 0, square)


@kernel
def recurrence_of_many_threads(a: Singles, x: Singles, y: Singles):
    i = wp.tid()
    s = float(0.0)
    for k in range(8):
        s += a[0] * x[i * 8 + k] * x[i * 8 + k]
    y[i] = s


@kernel
def residuals_of_a_line(slope: Floats, offset: Floats, x: Floats, label: Floats, y: Floats):
    i = wp.tid()
    residual = slope[0] * x[i] + offset[0] - label[i]
    square = residual * residual
    if wp.isnan(label[i]):
        y[i] = f(0.0)
    else:
        y[i] = square


@kernel
def missing_neighbour(x: Singles, y: Singles):
    i = wp.tid()
    mean = 0.5 * (x[i] + x[i + 1]) * x[i]
    if wp.isnan(x[i + 1]) or wp.isnan(x[i]):
        y[i] = 1.0
    else:
        y[i] = mean


@kernel
def sum_of_present(x: Singles, y: Singles):
    i = wp.tid()
    total = float(0.0)
    for k in range(x.shape[0]):
        square = x[k] * x[k]
        if not wp.isnan(x[k]):
            total += square
    y[i] = total


@kernel
def mean_of_present(x: Floats, y: Floats):
    i = wp.tid()
    total = f(0.0)
    count = f(0.0)
    for k in range(x.shape[0]):
        scaled = x[k] * x[k]
        total += wp.where(wp.isfinite(x[k]), scaled, f(0.0))
        count += wp.where(wp.isfinite(x[k]), f(1.0), f(0.0))
    y[i] = wp.sqrt(total / count)


@kernel
def turned_points(q: Quaternions32, points: Vectors3, y: Singles):
    i = wp.tid()
    point = wp.quat(points[i][0], points[i][1], points[i][2], 0.0)
    turned = q[0] * point * wp.quat_inverse(q[0])
    if wp.isnan(points[i][0]):
        y[i] = 0.0
    else:
        y[i] = turned[0] * turned[1]


@kernel
def transformed_points(first: Vectors2, points: Vectors2, y: Singles):
    i = wp.tid()
    moved = wp.matrix_from_cols(first[0], points[i]) * points[i]
    if wp.isfinite(points[i][1]):
        y[i] = moved[0] * moved[1]
    else:
        y[i] = 3.0


# ---- Vectors, matrices, quaternions ------------------------------------------------------------------------------------


@kernel
def unused_inverse(c: Vectors2, y: Singles):
    i = wp.tid()
    m = wp.matrix_from_cols(c[0], wp.vec2(-c[1][0], c[1][1]))
    solved = wp.inverse(m) * c[1]
    if wp.abs(wp.determinant(m)) > 0.5:
        y[i] = solved[0]
    else:
        y[i] = c[0][0] * c[1][1]


@kernel
def unused_inverse_f64(c: Vectors, y: Floats):
    i = wp.tid()
    one = f(1.0)
    zero = f(0.0)
    first = c[0] + wp.vec3d(one, zero, zero)
    second = c[1] + wp.vec3d(zero, one, zero)
    third = c[2] + wp.vec3d(zero, zero, one)
    m = wp.matrix_from_cols(first, second, third)
    solved = wp.inverse(m) * c[0]
    if wp.abs(wp.determinant(m)) > f(0.1):
        y[i] = solved[0]
    else:
        y[i] = c[0][0] * c[1][1]


@kernel
def guarded_normal(v: Vectors3, y: Singles):
    i = wp.tid()
    normal = v[0] / wp.length(v[0])
    if wp.length(v[0]) > 0.25:
        y[i] = wp.dot(normal, v[1])
    else:
        y[i] = v[0][0] * v[1][1] + v[1][2]


@kernel
def guarded_direction(v: Vectors2d, y: Floats):
    i = wp.tid()
    offset = v[1] - v[0]
    direction = offset / wp.sqrt(wp.dot(offset, offset))
    if wp.dot(offset, offset) > f(0.1):
        y[i] = direction[0]
    else:
        y[i] = wp.dot(v[0], v[1])


@kernel
def guarded_quaternion(q: Quaternions32, y: Singles):
    i = wp.tid()
    unit = q[0] / wp.length(q[0])
    if wp.length_sq(q[0]) > 0.1:
        y[i] = unit[0] * unit[3]
    else:
        y[i] = q[0][0] + 2.0 * q[0][3]


@kernel
def rotation_vector(q: Quaternions, y: Floats):
    i = wp.tid()
    sine = wp.sqrt(f(1.0) - q[0][3] * q[0][3])
    angle = f(2.0) * wp.acos(q[0][3])
    part = q[0][0] / sine * angle
    if sine > f(0.1):
        y[i] = part
    else:
        y[i] = f(2.0) * q[0][0] + q[0][1]


@kernel
def slerp(q: Quaternions, y: Floats):
    i = wp.tid()
    cosine = wp.dot(q[0], q[1])
    angle = wp.acos(cosine)
    first = wp.sin(f(0.75) * angle) / wp.sin(angle)
    second = wp.sin(f(0.25) * angle) / wp.sin(angle)
    along = q[0] * first + q[1] * second
    straight = q[0] * f(0.75) + q[1] * f(0.25)
    if cosine > f(0.9):
        y[i] = straight[0] + straight[3]
    else:
        y[i] = along[0]


@kernel
def angle_of_parallels(v: Vectors3, y: Singles):
    i = wp.tid()
    cosine = wp.dot(v[0], v[1])
    angle = wp.acos(cosine)
    if cosine < 0.9:
        y[i] = angle
    else:
        y[i] = wp.cross(v[0], v[1])[2] + cosine


@kernel
def one_component_of_a_cross_product(v: Vectors, y: Floats):
    i = wp.tid()
    y[i] = wp.cross(v[0], v[1])[0]


@kernel
def one_row_of_a_product(c: Vectors2, y: Singles):
    i = wp.tid()
    product = wp.matrix_from_cols(c[0], c[1]) * c[2]
    y[i] = product[1]


@kernel
def projection_on_nothing(v: Vectors2, y: Singles):
    i = wp.tid()
    projected = v[1] * (wp.dot(v[0], v[1]) / wp.dot(v[1], v[1]))
    if wp.length_sq(v[1]) > 0.1:
        y[i] = projected[0]
    else:
        y[i] = v[0][0] * v[0][1]


@kernel
def barycentric(v: Vectors2d, y: Floats):
    i = wp.tid()
    area = v[0][0] * v[1][1] - v[0][1] * v[1][0]
    scale = f(1.0) / area
    first = (v[2][0] * v[1][1] - v[2][1] * v[1][0]) * scale
    if wp.abs(area) > f(0.1):
        y[i] = first
    else:
        y[i] = v[2][0] * v[2][1]


@kernel
def half_way(v: Vectors3, y: Singles):
    i = wp.tid()
    total = v[0] + v[1]
    specular = total[0] / wp.length(total)
    if wp.length_sq(total) > 0.1:
        y[i] = specular
    else:
        y[i] = v[0][1] * v[1][1]


@kernel
def total_reflection(x: Singles, y: Singles):
    i = wp.tid()
    k = 1.0 - x[0] * x[0] * (1.0 - x[1] * x[1])
    refracted = x[0] * x[1] - wp.sqrt(k)
    if k > 0.0:
        y[i] = refracted
    else:
        y[i] = x[0] * x[1]


@kernel
def square_of_a_length(v: Vectors3, y: Singles):
    i = wp.tid()
    length = wp.length(v[0])
    y[i] = length * length


@kernel
def cube_of_a_distance(x: Floats, y: Floats):
    i = wp.tid()
    r = wp.sqrt(x[0] * x[0] + x[1] * x[1])
    y[i] = r * r * r


# ---- Iterations ----------------------------------------------------------------------------------------------------


@kernel
def rejected_iteration(x: Singles, y: Singles):
    i = wp.tid()
    v = x[0]
    for _k in range(20):
        v = v * v - x[1] * v
    if wp.abs(v) < 10.0:
        y[i] = v
    else:
        y[i] = x[0] * x[1]


@kernel
def rejected_newton(x: Floats, y: Floats):
    i = wp.tid()
    v = wp.max(x[1] - f(1.0), f(0.0))
    for _k in range(6):
        v -= (v * v - x[0]) / (f(2.0) * v)
    if wp.isfinite(v):
        y[i] = v
    else:
        y[i] = x[0] * x[0]


@kernel
def aitken(x: Floats, y: Floats):
    i = wp.tid()
    first = x[0] * x[0]
    second = first * first
    change = second - f(2.0) * first + x[0]
    better = second - (second - first) * (second - first) / change
    if wp.abs(change) > f(0.1):
        y[i] = better
    else:
        y[i] = second


@kernel
def product_with_resets(x: Singles, y: Singles):
    i = wp.tid()
    product = float(1.0)
    for k in range(x.shape[0]):
        product *= x[k]
        if not wp.isfinite(product):
            product = 1.0
    y[i] = product


@kernel
def through_infinity(x: Singles, y: Singles):
    i = wp.tid()
    s = x[0]
    for k in range(1, x.shape[0]):
        square = s * s
        s = 1.0 / (1.0 + square * square) + x[k] * x[k]
    y[i] = s


@kernel
def last_finite_power(x: Singles, y: Singles):
    i = wp.tid()
    s = x[0]
    kept = float(0.0)
    for _k in range(8):
        if wp.isfinite(s):
            kept = s
        s = s * s
    y[i] = kept


@kernel
def while_finite(x: Singles, y: Singles):
    i = wp.tid()
    s = x[0]
    trips = int(0)
    while wp.isfinite(s) and trips < 3:
        square = s * s
        s = square * square
        trips += 1
    if wp.isfinite(s):
        y[i] = s
    else:
        y[i] = x[1] * float(trips)


@kernel
def leaves_at_infinity(x: Floats, y: Floats):
    i = wp.tid()
    s = x[0]
    total = x[1]
    for _k in range(10):
        square = s * s
        s = square * square
        if not wp.isfinite(s):
            break
        total = total * x[1] + f(1.0) / (f(1.0) + s)
    y[i] = total


@kernel
def log_sum_exp(x: Singles, y: Singles):
    i = wp.tid()
    top = x[0]
    for k in range(1, x.shape[0]):
        top = wp.max(top, x[k])
    total = float(0.0)
    for k in range(x.shape[0]):
        total += wp.exp(x[k] - top)
    y[i] = top + wp.log(total)


@kernel
def masked_log_sum_exp(mask: Integers, x: Singles, y: Singles):
    i = wp.tid()
    total = float(0.0)
    for k in range(x.shape[0]):
        term = wp.exp(x[k])
        total += wp.where(mask[k] == 0, 0.0, term)
    y[i] = wp.log(total)


@kernel
def masked_attention(mask: Integers, score: Singles, value: Singles, y: Singles):
    i = wp.tid()
    total = float(0.0)
    weighted = float(0.0)
    for k in range(3):
        square = score[k] * score[k]
        weight = wp.exp(wp.where(mask[k] == 0, -wp.inf, square))
        total += weight
        weighted += weight * value[k]
    y[i] = weighted / total


@kernel
def entropy(p: Singles, y: Singles):
    i = wp.tid()
    total = float(0.0)
    for k in range(p.shape[0]):
        term = p[k] * wp.log(p[k])
        total -= wp.where(p[k] > 0.1, term, 0.0)
    y[i] = total


@kernel
def harmonic_mean(x: Floats, y: Floats):
    i = wp.tid()
    total = f(0.0)
    for k in range(x.shape[0]):
        term = f(1.0) / x[k]
        if wp.abs(x[k]) > f(0.1):
            total += term
    y[i] = f(1.0) / total


# ---- Masks ---------------------------------------------------------------------------------------------------------


@kernel
def masked_root(x: Singles, y: Singles):
    i = wp.tid()
    root = wp.sqrt(x[0])
    if x[0] > 0.2:
        y[i] = root
    else:
        y[i] = x[0] * x[1]


@kernel
def masked_logarithm(x: Floats, y: Floats):
    i = wp.tid()
    logarithm = wp.log(x[0])
    if x[0] > f(0.2):
        y[i] = logarithm
    else:
        y[i] = x[0] * x[1]


@kernel
def masked_power(x: Singles, y: Singles):
    i = wp.tid()
    power = wp.pow(x[0], x[1])
    if x[0] > 0.2:
        y[i] = power
    else:
        y[i] = x[0] * x[1]


@kernel
def masked_quotient_of_itself(x: Singles, y: Singles):
    i = wp.tid()
    quotient = x[0] / x[0] * x[1]
    if x[0] > 0.2:
        y[i] = quotient
    else:
        y[i] = x[0] * x[1]


@kernel
def masked_cube_root(x: Floats, y: Floats):
    i = wp.tid()
    root = wp.cbrt(x[0])
    if x[0] > f(0.2):
        y[i] = root
    else:
        y[i] = x[0] * x[1]


@kernel
def masked_arc_sine(x: Singles, y: Singles):
    i = wp.tid()
    angle = wp.asin(x[0] * x[0])
    if x[0] < 0.8:
        y[i] = angle
    else:
        y[i] = x[0] * x[1]


@kernel
def masked_arc_cosine(x: Floats, y: Floats):
    i = wp.tid()
    angle = wp.acos(-x[0])
    if x[0] < f(0.8):
        y[i] = angle
    else:
        y[i] = x[0] * x[1]


@kernel
def sinc(x: Floats, y: Floats):
    i = wp.tid()
    ratio = wp.sin(x[0]) / x[0]
    if wp.abs(x[0]) > f(0.1):
        y[i] = ratio
    else:
        y[i] = f(1.0) - x[0] * x[0] / f(6.0) + f(0.5) * x[0]


@kernel
def relative_growth(a: Singles, x: Singles, y: Singles):
    i = wp.tid()
    ratio = (wp.exp(a[0] * x[i]) - 1.0) / x[i]
    if wp.abs(x[i]) > 0.1:
        y[i] = ratio
    else:
        y[i] = a[0] + x[i]


@kernel
def masked_angle(x: Singles, y: Singles):
    i = wp.tid()
    angle = wp.atan2(x[0], x[1])
    if wp.abs(x[0]) + wp.abs(x[1]) > 0.2:
        y[i] = angle
    else:
        y[i] = x[0] + 2.0 * x[1]


@kernel
def bump(x: Floats, y: Floats):
    i = wp.tid()
    y[i] = wp.exp(f(-1.0) / (x[0] * x[0])) + x[1] * x[1]


@kernel
def square_of_a_hypotenuse(x: Singles, y: Singles):
    i = wp.tid()
    h = wp.length(wp.vec2(x[0], x[1]))
    y[i] = h * h + x[0]


@kernel
def size_times_square(x: Floats, y: Floats):
    i = wp.tid()
    square = x[0] * x[0]
    y[i] = wp.sqrt(square) * square


@kernel
def roots(x: Singles, middle: Singles):
    i = wp.tid()
    middle[i] = wp.sqrt(x[i])


@kernel
def kept(mask: Integers, middle: Singles, y: Singles):
    i = wp.tid()
    if mask[i] == 0:
        y[i] = 1.0
    else:
        y[i] = middle[i] * middle[i] * middle[i]


@kernel
def quotients(a: Floats, x: Floats, middle: Floats):
    i = wp.tid()
    middle[i] = a[0] / (x[i] * x[i])


@kernel
def bounded(bound: Floats, middle: Floats, y: Floats):
    i = wp.tid()
    y[i] = wp.min(middle[i], bound[0] * bound[0])


# ---- Conventions ---------------------------------------------------------------------------------------------------


@kernel
def square_of_a_root(x: Floats, y: Floats):
    i = wp.tid()
    root = wp.sqrt(x[0])
    y[i] = root * root


@kernel
def parallel_resistors(x: Singles, y: Singles):
    i = wp.tid()
    y[i] = 1.0 / (1.0 / x[0] + 1.0 / x[1])


@kernel
def arc_tangent_of_a_reciprocal(x: Floats, y: Floats):
    i = wp.tid()
    y[i] = wp.atan(f(1.0) / x[0])


@kernel
def exponential_of_a_logarithm(x: Singles, y: Singles):
    i = wp.tid()
    y[i] = wp.exp(wp.log(x[0]))


@kernel
def cube_of_a_cube_root(x: Floats, y: Floats):
    i = wp.tid()
    root = wp.cbrt(x[0])
    y[i] = root * root * root


@kernel
def power_of_a_power(x: Singles, y: Singles):
    i = wp.tid()
    root = wp.pow(x[0], 0.25)
    y[i] = (root * root) * (root * root)


@kernel
def continued_fraction(x: Floats, y: Floats):
    i = wp.tid()
    s = x[0]
    for k in range(1, x.shape[0]):
        s = x[k] + f(1.0) / s
    y[i] = s


@kernel
def mean_of_equals_by_min_and_max(x: Floats, y: Floats):
    i = wp.tid()
    y[i] = wp.min(x[0], x[1]) + wp.max(x[0], x[1])


@kernel
def identity_by_two_ramps(x: Singles, y: Singles):
    i = wp.tid()
    y[i] = wp.max(x[0], 0.0) - wp.max(-x[0], 0.0)


@kernel
def stable_softplus(x: Floats, y: Floats):
    i = wp.tid()
    y[i] = wp.max(x[0], f(0.0)) + wp.log(f(1.0) + wp.exp(-wp.abs(x[0])))


@kernel
def root_of_a_masked_square(x: Singles, mask: Integers, y: Singles):
    i = wp.tid()
    y[i] = wp.sqrt(float(mask[0]) * x[0] * x[0]) + x[1] * x[1]


@kernel
def root_of_a_fourth_power(x: Floats, y: Floats):
    i = wp.tid()
    square = x[0] * x[0]
    y[i] = wp.sqrt(square * square)
