"""The torture cases with infinity and NaN in Dr.Jit. `dr.select` chooses between values that are both computed."""

import drjit as dr
from drjit.llvm.ad import Array3f64, Float, Float64, Int, Matrix2f, Matrix3f64, Quaternion4f, UInt
from in_drjit import at, kernel


def elements(array, count):
    """The first `count` elements of an array, for all threads."""
    return [at(array, UInt(k)) for k in range(count)]


# ---- Overflow ------------------------------------------------------------------------------------------------------


@kernel
def factor_of_an_overflow(a, x):
    return {"y": a * (x * x)}


@kernel
def factor_of_an_overflow_f64(a, x):
    return {"y": a * (x * x)}


@kernel
def guarded_product(x):
    a, b = elements(x, 2)
    return {"y": dr.select(a < 1e10, a * b, 2.0 * a)}


@kernel
def guarded_product_f64(x):
    a, b = elements(x, 2)
    return {"y": dr.select(a < 1e100, a * a * b, b * b)}


@kernel
def guarded_quotient(x):
    a, b = elements(x, 2)
    return {"y": dr.select(dr.abs(b) > 0.25, a / b, a * a)}


@kernel
def guarded_dot(x):
    a, b = elements(x, 2)
    dot = dr.dot(a, b)
    return {"y": dr.select(dot < 1e30, dot, a.y * b.z)}


@kernel
def guarded_cast(x):
    a, b = elements(x, 2)
    narrow = Float(a * a)
    return {"y": dr.select(a < 1e10, narrow * narrow, Float(b * b))}


@kernel
@dr.syntax
def guarded_sum(x):
    a, b = elements(x, 2)
    total, k = Float(0.0), UInt(0)
    while dr.hint(k < 4, max_iterations=4, exclude=[x]):
        total += at(x, k)
        k += 1
    return {"y": dr.select(total < 1e30, total * total, a * b)}


@kernel
def bounded_length(v):
    (v,) = elements(v, 1)
    return {"y": dr.minimum(dr.norm(v), 5.0 * v.y * v.z)}


@kernel
def guarded_exponential(x):
    (a,) = elements(x, 1)
    return {"y": dr.select(a < 50.0, dr.exp(a), 2.0 * a)}


@kernel
def bounded_power(x):
    a, b = elements(x, 2)
    return {"y": dr.minimum((a * a) ** 4, b * b + 9.0)}


@kernel
@dr.syntax
def guarded_polynomial(x):
    a, b = elements(x, 2)
    s, k = Float(b), UInt(0)
    while dr.hint(k < 8, max_iterations=8):
        s = s * a + b
        k += 1
    return {"y": dr.select(dr.isfinite(s), s, a * b)}


@kernel
@dr.syntax
def returns_before_the_overflow(x):
    (a,) = elements(x, 1)
    if a > 1e10:
        y = 0.5 * a
    else:
        y = a * a * a
    return {"y": y}


@kernel
@dr.syntax
def returns_from_the_loop(x):
    (a,) = elements(x, 1)
    s, k = Float(a), UInt(0)
    while dr.hint((k < 6) & (s <= 1e20), max_iterations=6):
        s = s * s
        k += 1
    return {"y": dr.select(s > 1e20, 1e-20 * s, s)}


@kernel
def sigmoid(x):
    (a,) = elements(x, 1)
    return {"y": 1.0 / (1.0 + dr.exp(-a))}


@kernel
def guarded_softplus(x):
    (a,) = elements(x, 1)
    return {"y": dr.select(a < 20.0, dr.log(1.0 + dr.exp(a)), a)}


@kernel
def robust_weight(x):
    a, b = elements(x, 2)
    r = a * a
    return {"y": b / (1.0 + r * r) + b * b}


@kernel
def gaussian_of_an_outlier(x):
    a, b = elements(x, 2)
    r = a * a
    return {"y": dr.exp(-(r * r)) * b + b * b}


@kernel
def integer_times_a_large_constant(n, a):
    return {"y": a * (Float(n) * 1e37)}


@kernel
def infinity_as_a_factor(x):
    a, b = elements(x, 2)
    return {"y": dr.select(b > 0.25, a * b, a * dr.inf)}


@kernel
def guarded_rotation(q, v):
    (q,), (v,) = elements(q, 1), elements(v, 1)
    product = Quaternion4f(q) * Quaternion4f(q)
    inner = product.x * q.x + product.y * q.y + product.z * q.z + product.w * q.w
    return {"y": dr.select(q.x < 1e10, inner, dr.dot(v, v))}


@kernel
def guarded_determinant(c):
    a, b, c = elements(c, 3)
    determinant = dr.det(Matrix3f64([[a.x, b.x, c.x], [a.y, b.y, c.y], [a.z, b.z, c.z]]))
    return {"y": dr.select(a.x < 1e100, determinant, b.y * c.z)}


# ---- Searches ------------------------------------------------------------------------------------------------------


@kernel
@dr.syntax
def nearest_by_branches(x):
    nearest, k = Float(dr.inf), UInt(0)
    while dr.hint(k < 3, max_iterations=3, exclude=[x]):
        value = at(x, k)
        t = 2.0 / (value * value)
        if t < nearest:
            nearest = Float(t)
        k += 1
    return {"y": nearest * nearest}


@kernel
@dr.syntax
def nearest_by_min(x):
    nearest, k = Float64(dr.inf), UInt(0)
    while dr.hint(k < 3, max_iterations=3, exclude=[x]):
        value = at(x, k)
        nearest = dr.minimum(nearest, 2.0 / (value * value))
        k += 1
    return {"y": nearest * nearest}


@kernel
@dr.syntax
def weighted_by_the_nearest(x):
    nearest, weight, k = Float(dr.inf), Float(0.0), UInt(0)
    while dr.hint(k < 3, max_iterations=3, exclude=[x]):
        value = at(x, k)
        scaled = nearest * value
        if value < nearest:
            weight = weight + dr.minimum(scaled, 8.0)
            nearest = Float(value)
        k += 1
    return {"y": nearest * weight}


@kernel
@dr.syntax
def two_nearest(x):
    first, second, k = Float(dr.inf), Float(dr.inf), UInt(0)
    while dr.hint(k < 4, max_iterations=4, exclude=[x]):
        d = at(x, k) * at(x, k)
        second = dr.select(d < first, first, dr.select(d < second, d, second))
        first = dr.select(d < first, d, first)
        k += 1
    return {"y": second / first}


@kernel
@dr.syntax
def largest_from_minus_infinity(x):
    top, k = Float(-dr.inf), UInt(0)
    while dr.hint(k < 3, max_iterations=3, exclude=[x]):
        top = dr.maximum(top, dr.log(at(x, k)))
        k += 1
    return {"y": top * top}


@kernel
@dr.syntax
def smallest_from_nan(x):
    least, k = Float(dr.nan), UInt(0)
    while dr.hint(k < 3, max_iterations=3, exclude=[x]):
        square = at(x, k) * at(x, k)
        least = dr.select(dr.isnan(least), square, dr.minimum(least, square))
        k += 1
    return {"y": least}


@kernel
def ray_and_sphere(x):
    a, b = elements(x, 2)
    discriminant = a * a - b
    return {"y": dr.select(discriminant > 0.0, a - dr.sqrt(discriminant), a * b)}


@kernel
def ray_and_box(ray):
    origin, direction = elements(ray, 2)
    inverse = 1.0 / direction
    near, far = (-2.0 - origin) * inverse, (2.0 - origin) * inverse
    entry, exit = dr.max(dr.minimum(near, far)), dr.min(dr.maximum(near, far))
    return {"y": exit * exit + entry}


@kernel
def clamped_ratio(x):
    a, b = elements(x, 2)
    return {"y": dr.clip(a / (b * b), 0.0, 4.0) * a}


@kernel
def min_leaves_out_infinity(x):
    a, b = elements(x, 2)
    return {"y": dr.minimum(1.0 / (a * a), b * b)}


@kernel
def max_leaves_out_a_logarithm(x):
    a, b = elements(x, 2)
    return {"y": dr.maximum(dr.log(a * a), b * b - 3.0)}


@kernel
def max_leaves_out_nan(x):
    a, b = elements(x, 2)
    first, second = a * a, b * b
    return {"y": dr.select(dr.isnan(first), second, dr.maximum(first, second))}


@kernel
def min_of_vectors(v):
    a, b, c = elements(v, 3)
    return {"y": dr.sum(dr.minimum(a / (b * b), c * c))}


@kernel
def largest_component(x):
    a, b, c = elements(x, 3)
    return {"y": dr.max(Array3f64(dr.log(a * a), b * c, -1.0 / (a * a))) * c}


# ---- Missing data --------------------------------------------------------------------------------------------------


@kernel
def factor_of_missing(a, x):
    return {"y": dr.select(dr.isnan(x), 0.0, a * x)}


@kernel
def factor_under_a_mask(a, mask, x):
    return {"y": dr.select(mask == 0, 0.0, a * x * x)}


@kernel
def distances_from_a_center(center, points):
    distance = dr.squared_norm(points - center)
    return {"y": dr.select(distance < 1e30, distance, 0.0)}


@kernel
def total_of_present(a, x):
    return {"total": dr.sum(dr.select(x < 1e10, a * x * x, 0.0))}


@kernel
@dr.syntax
def recurrence_of_many_threads(a, x):
    first = dr.arange(UInt, dr.width(x) // 8) * 8
    s, k = dr.zeros(Float, dr.width(x) // 8), UInt(0)
    while dr.hint(k < 8, max_iterations=8, exclude=[x, a]):
        value = at(x, first + k)
        s += a * value * value
        k += 1
    return {"y": s}


@kernel
def residuals_of_a_line(slope, offset, x, label):
    residual = slope * x + offset - label
    return {"y": dr.select(dr.isnan(label), 0.0, residual * residual)}


@kernel
def missing_neighbour(x):
    place = dr.arange(UInt, dr.width(x) - 1)
    a, b = at(x, place), at(x, place + 1)
    return {"y": dr.select(dr.isnan(a) | dr.isnan(b), 1.0, 0.5 * (a + b) * a)}


@kernel
def sum_of_present(x):
    return {"y": dr.sum(dr.select(dr.isnan(x), 0.0, x * x))}


@kernel
def mean_of_present(x):
    present = dr.isfinite(x)
    return {"y": dr.sqrt(dr.sum(dr.select(present, x * x, 0.0)) / dr.sum(dr.select(present, Float64(1.0), 0.0)))}


@kernel
def turned_points(q, points):
    q = Quaternion4f(q)
    turned = q * Quaternion4f(points.x, points.y, points.z, 0.0) * dr.conj(q)
    return {"y": dr.select(dr.isnan(points.x), 0.0, turned.x * turned.y)}


@kernel
def transformed_points(first, points):
    moved = Matrix2f([[first.x, points.x], [first.y, points.y]]) @ points
    return {"y": dr.select(dr.isfinite(points.y), moved.x * moved.y, 3.0)}


# ---- Vectors, matrices, quaternions ------------------------------------------------------------------------------------


@kernel
def unused_inverse(c):
    a, b = elements(c, 2)
    m = Matrix2f([[a.x, -b.x], [a.y, b.y]])
    solved = dr.rcp(m) @ b
    return {"y": dr.select(dr.abs(dr.det(m)) > 0.5, solved.x, a.x * b.y)}


@kernel
def unused_inverse_f64(c):
    a, b, c = elements(c, 3)
    m = Matrix3f64([[a.x + 1.0, b.x, c.x], [a.y, b.y + 1.0, c.y], [a.z, b.z, c.z + 1.0]])
    solved = dr.rcp(m) @ a
    return {"y": dr.select(dr.abs(dr.det(m)) > 0.1, solved.x, a.x * b.y)}


@kernel
def guarded_normal(v):
    a, b = elements(v, 2)
    normal = a / dr.norm(a)
    return {"y": dr.select(dr.norm(a) > 0.25, dr.dot(normal, b), a.x * b.y + b.z)}


@kernel
def guarded_direction(v):
    a, b = elements(v, 2)
    offset = b - a
    direction = offset / dr.sqrt(dr.dot(offset, offset))
    return {"y": dr.select(dr.dot(offset, offset) > 0.1, direction.x, dr.dot(a, b))}


@kernel
def guarded_quaternion(q):
    (q,) = elements(q, 1)
    unit = q / dr.norm(q)
    return {"y": dr.select(dr.squared_norm(q) > 0.1, unit.x * unit.w, q.x + 2.0 * q.w)}


@kernel
def rotation_vector(q):
    (q,) = elements(q, 1)
    sine, angle = dr.sqrt(1.0 - q.w * q.w), 2.0 * dr.acos(q.w)
    return {"y": dr.select(sine > 0.1, q.x / sine * angle, 2.0 * q.x + q.y)}


@kernel
def slerp(q):
    a, b = elements(q, 2)
    cosine = dr.dot(a, b)
    angle = dr.acos(cosine)
    along = a * (dr.sin(0.75 * angle) / dr.sin(angle)) + b * (dr.sin(0.25 * angle) / dr.sin(angle))
    straight = a * 0.75 + b * 0.25
    return {"y": dr.select(cosine > 0.9, straight.x + straight.w, along.x)}


@kernel
def angle_of_parallels(v):
    a, b = elements(v, 2)
    cosine = dr.dot(a, b)
    return {"y": dr.select(cosine < 0.9, dr.acos(cosine), dr.cross(a, b).z + cosine)}


@kernel
def one_component_of_a_cross_product(v):
    a, b = elements(v, 2)
    return {"y": dr.cross(a, b).x}


@kernel
def one_row_of_a_product(c):
    a, b, v = elements(c, 3)
    return {"y": (Matrix2f([[a.x, b.x], [a.y, b.y]]) @ v).y}


@kernel
def projection_on_nothing(v):
    a, b = elements(v, 2)
    projected = b * (dr.dot(a, b) / dr.dot(b, b))
    return {"y": dr.select(dr.squared_norm(b) > 0.1, projected.x, a.x * a.y)}


@kernel
def barycentric(v):
    a, b, p = elements(v, 3)
    area = a.x * b.y - a.y * b.x
    first = (p.x * b.y - p.y * b.x) * (1.0 / area)
    return {"y": dr.select(dr.abs(area) > 0.1, first, p.x * p.y)}


@kernel
def half_way(v):
    a, b = elements(v, 2)
    total = a + b
    specular = dr.normalize(total).x
    return {"y": dr.select(dr.squared_norm(total) > 0.1, specular, a.y * b.y)}


@kernel
def total_reflection(x):
    a, b = elements(x, 2)
    k = 1.0 - a * a * (1.0 - b * b)
    return {"y": dr.select(k > 0.0, a * b - dr.sqrt(k), a * b)}


@kernel
def square_of_a_length(v):
    (v,) = elements(v, 1)
    length = dr.norm(v)
    return {"y": length * length}


@kernel
def cube_of_a_distance(x):
    a, b = elements(x, 2)
    r = dr.sqrt(a * a + b * b)
    return {"y": r * r * r}


# ---- Iterations ----------------------------------------------------------------------------------------------------


@kernel
@dr.syntax
def rejected_iteration(x):
    a, b = elements(x, 2)
    v, k = Float(a), UInt(0)
    while dr.hint(k < 20, max_iterations=20):
        v = v * v - b * v
        k += 1
    return {"y": dr.select(dr.abs(v) < 10.0, v, a * b)}


@kernel
@dr.syntax
def rejected_newton(x):
    a, b = elements(x, 2)
    v, k = dr.maximum(b - 1.0, 0.0), UInt(0)
    while dr.hint(k < 6, max_iterations=6):
        v -= (v * v - a) / (2.0 * v)
        k += 1
    return {"y": dr.select(dr.isfinite(v), v, a * a)}


@kernel
def aitken(x):
    (a,) = elements(x, 1)
    first = a * a
    second = first * first
    change = second - 2.0 * first + a
    better = second - (second - first) * (second - first) / change
    return {"y": dr.select(dr.abs(change) > 0.1, better, second)}


@kernel
@dr.syntax
def product_with_resets(x):
    product, k = Float(1.0), UInt(0)
    while dr.hint(k < 4, max_iterations=4, exclude=[x]):
        product = product * at(x, k)
        if ~dr.isfinite(product):
            product = Float(1.0)
        k += 1
    return {"y": product}


@kernel
@dr.syntax
def through_infinity(x):
    (s,) = elements(x, 1)
    k = UInt(1)
    while dr.hint(k < 3, max_iterations=2, exclude=[x]):
        square = s * s
        s = 1.0 / (1.0 + square * square) + at(x, k) * at(x, k)
        k += 1
    return {"y": s}


@kernel
@dr.syntax
def last_finite_power(x):
    (s,) = elements(x, 1)
    kept, k = Float(0.0), UInt(0)
    while dr.hint(k < 8, max_iterations=8):
        kept = dr.select(dr.isfinite(s), s, kept)
        s = s * s
        k += 1
    return {"y": kept}


@kernel
@dr.syntax
def while_finite(x):
    s, b = elements(x, 2)
    trips = Int(0)
    while dr.hint(dr.isfinite(s) & (trips < 3), max_iterations=3):
        square = s * s
        s = square * square
        trips += 1
    return {"y": dr.select(dr.isfinite(s), s, b * Float(trips))}


@kernel
@dr.syntax
def leaves_at_infinity(x):
    s, b = elements(x, 2)
    total, k = Float64(b), UInt(0)
    going = dr.full(dr.mask_t(Float64), True, 1)
    while dr.hint((k < 10) & going, max_iterations=10):
        square = s * s
        s = square * square
        going = dr.isfinite(s)
        if going:
            total = total * b + 1.0 / (1.0 + s)
        k += 1
    return {"y": total}


@kernel
def log_sum_exp(x):
    top = dr.max(x)
    return {"y": top + dr.log(dr.sum(dr.exp(x - top)))}


@kernel
def masked_log_sum_exp(mask, x):
    return {"y": dr.log(dr.sum(dr.select(mask == 0, 0.0, dr.exp(x))))}


@kernel
def masked_attention(mask, score, value):
    weight = dr.exp(dr.select(mask == 0, -dr.inf, score * score))
    return {"y": dr.sum(weight * value) / dr.sum(weight)}


@kernel
def entropy(p):
    return {"y": -dr.sum(dr.select(p > 0.1, p * dr.log(p), 0.0))}


@kernel
def harmonic_mean(x):
    return {"y": 1.0 / dr.sum(dr.select(dr.abs(x) > 0.1, 1.0 / x, 0.0))}


# ---- Masks ---------------------------------------------------------------------------------------------------------


@kernel
def masked_root(x):
    a, b = elements(x, 2)
    return {"y": dr.select(a > 0.2, dr.sqrt(a), a * b)}


@kernel
def masked_logarithm(x):
    a, b = elements(x, 2)
    return {"y": dr.select(a > 0.2, dr.log(a), a * b)}


@kernel
def masked_power(x):
    a, b = elements(x, 2)
    return {"y": dr.select(a > 0.2, a**b, a * b)}


@kernel
def masked_quotient_of_itself(x):
    a, b = elements(x, 2)
    return {"y": dr.select(a > 0.2, a / a * b, a * b)}


@kernel
def masked_cube_root(x):
    a, b = elements(x, 2)
    return {"y": dr.select(a > 0.2, dr.cbrt(a), a * b)}


@kernel
def masked_arc_sine(x):
    a, b = elements(x, 2)
    return {"y": dr.select(a < 0.8, dr.asin(a * a), a * b)}


@kernel
def masked_arc_cosine(x):
    a, b = elements(x, 2)
    return {"y": dr.select(a < 0.8, dr.acos(-a), a * b)}


@kernel
def sinc(x):
    (a,) = elements(x, 1)
    return {"y": dr.select(dr.abs(a) > 0.1, dr.sin(a) / a, 1.0 - a * a / 6.0 + 0.5 * a)}


@kernel
def relative_growth(a, x):
    return {"y": dr.select(dr.abs(x) > 0.1, (dr.exp(a * x) - 1.0) / x, a + x)}


@kernel
def masked_angle(x):
    a, b = elements(x, 2)
    return {"y": dr.select(dr.abs(a) + dr.abs(b) > 0.2, dr.atan2(a, b), a + 2.0 * b)}


@kernel
def bump(x):
    a, b = elements(x, 2)
    return {"y": dr.exp(-1.0 / (a * a)) + b * b}


@kernel
def square_of_a_hypotenuse(x):
    a, b = elements(x, 2)
    h = dr.hypot(a, b)
    return {"y": h * h + a}


@kernel
def size_times_square(x):
    (a,) = elements(x, 1)
    square = a * a
    return {"y": dr.sqrt(square) * square}


@kernel
def roots(x):
    return {"middle": dr.sqrt(x)}


@kernel
def kept(mask, middle):
    return {"y": dr.select(mask == 0, 1.0, middle * middle * middle)}


@kernel
def quotients(a, x):
    return {"middle": a / (x * x)}


@kernel
def bounded(bound, middle):
    return {"y": dr.minimum(middle, bound * bound)}


# ---- Conventions ---------------------------------------------------------------------------------------------------


@kernel
def square_of_a_root(x):
    (a,) = elements(x, 1)
    root = dr.sqrt(a)
    return {"y": root * root}


@kernel
def parallel_resistors(x):
    a, b = elements(x, 2)
    return {"y": 1.0 / (1.0 / a + 1.0 / b)}


@kernel
def arc_tangent_of_a_reciprocal(x):
    (a,) = elements(x, 1)
    return {"y": dr.atan(1.0 / a)}


@kernel
def exponential_of_a_logarithm(x):
    (a,) = elements(x, 1)
    return {"y": dr.exp(dr.log(a))}


@kernel
def cube_of_a_cube_root(x):
    (a,) = elements(x, 1)
    root = dr.cbrt(a)
    return {"y": root * root * root}


@kernel
def power_of_a_power(x):
    (a,) = elements(x, 1)
    root = a**0.25
    return {"y": (root * root) * (root * root)}


@kernel
@dr.syntax
def continued_fraction(x):
    (s,) = elements(x, 1)
    k = UInt(1)
    while dr.hint(k < 3, max_iterations=2, exclude=[x]):
        s = at(x, k) + 1.0 / s
        k += 1
    return {"y": s}


@kernel
def mean_of_equals_by_min_and_max(x):
    a, b = elements(x, 2)
    return {"y": dr.minimum(a, b) + dr.maximum(a, b)}


@kernel
def identity_by_two_ramps(x):
    (a,) = elements(x, 1)
    return {"y": dr.maximum(a, 0.0) - dr.maximum(-a, 0.0)}


@kernel
def stable_softplus(x):
    (a,) = elements(x, 1)
    return {"y": dr.maximum(a, 0.0) + dr.log(1.0 + dr.exp(-dr.abs(a)))}


@kernel
def root_of_a_masked_square(x, mask):
    a, b = elements(x, 2)
    (mask,) = elements(mask, 1)
    return {"y": dr.sqrt(Float(mask) * a * a) + b * b}


@kernel
def root_of_a_fourth_power(x):
    (a,) = elements(x, 1)
    square = a * a
    return {"y": dr.sqrt(square * square)}
