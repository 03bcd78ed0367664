"""Functions that emitted Warp modules define where Warp has no function with Rust's meaning.

A module gets those that its kernel calls, and those that they call. Where several functions have one name, the
annotation of the first parameter says which types a function is for; `Any` stands for every type.
"""

from typing import Any

import warp as wp


@wp.func
def wrapping_add(a: wp.int32, b: wp.int32):
    return wp.int32(wp.uint32(a) + wp.uint32(b))


@wp.func
def wrapping_add(a: wp.int64, b: wp.int64):
    return wp.int64(wp.uint64(a) + wp.uint64(b))


@wp.func
def wrapping_sub(a: wp.int32, b: wp.int32):
    return wp.int32(wp.uint32(a) - wp.uint32(b))


@wp.func
def wrapping_sub(a: wp.int64, b: wp.int64):
    return wp.int64(wp.uint64(a) - wp.uint64(b))


@wp.func
def wrapping_mul(a: wp.int32, b: wp.int32):
    return wp.int32(wp.uint32(a) * wp.uint32(b))


@wp.func
def wrapping_mul(a: wp.int64, b: wp.int64):
    return wp.int64(wp.uint64(a) * wp.uint64(b))


@wp.func
def saturating_sub(a: wp.int32, b: wp.int32):
    difference = wp.int64(a) - wp.int64(b)
    return wp.int32(wp.clamp(difference, wp.int64(-2147483648), wp.int64(2147483647)))


@wp.func
def saturating_sub(a: wp.int64, b: wp.int64):
    difference = wp.int64(wp.uint64(a) - wp.uint64(b))
    # The difference passed an end of the range if its sign is not that of `a` although `a` and `b` differ in sign.
    if ((a ^ b) & (a ^ difference)) < wp.int64(0):
        if a < wp.int64(0):
            return wp.int64(-9223372036854775808)
        return wp.int64(9223372036854775807)
    return difference


@wp.func
def saturating_sub(a: wp.uint32, b: wp.uint32):
    return wp.max(a, b) - b


@wp.func
def saturating_sub(a: wp.uint64, b: wp.uint64):
    return wp.max(a, b) - b


@wp.func
def index_saturating_sub(a: int, b: int):
    return wp.max(a, b) - b


@wp.func
def abs_diff(a: Any, b: Any):
    return wp.max(a, b) - wp.min(a, b)


@wp.func
def ipow(base: Any, exponent: wp.uint32):
    power = type(base)(1)
    square = base + type(base)(0)
    rest = exponent + wp.uint32(0)
    while rest > wp.uint32(0):
        if (rest & wp.uint32(1)) == wp.uint32(1):
            power = power * square
        rest = rest >> wp.uint32(1)
        if rest > wp.uint32(0):
            square = square * square
    return power


@wp.func
def neg(x: Any):
    # Warp's own `-x` is `0 - x`, which is never -0.
    return x * type(x)(-1.0)


@wp.func
def count_ones(x: Any):
    return wp.uint32(wp.bit_count(x))


@wp.func
def leading_zeros(x: Any):
    # Copies the highest set bit to every place below it.
    filled = x + type(x)(0)
    while (filled & (filled >> type(x)(1))) != (filled >> type(x)(1)):
        filled = filled | (filled >> type(x)(1))
    return wp.uint32(wp.bit_count(~filled))


@wp.func
def trailing_zeros(x: Any):
    return wp.uint32(wp.bit_count(~x & (x - type(x)(1))))


@wp.func
def rotate_left(x: Any, n: wp.uint32):
    width = wp.uint32(wp.bit_count(~type(x)(0)))
    up = type(x)(n % width)
    if up == type(x)(0):
        return x
    down = type(x)(width) - up
    return (x << up) | ((x >> down) & ~(type(x)(-1) << up))


@wp.func
def rotate_right(x: Any, n: wp.uint32):
    width = wp.uint32(wp.bit_count(~type(x)(0)))
    return rotate_left(x, width - n % width)


@wp.func
def vec_min(a: Any, b: Any):
    r = a
    for i in range(len(a)):
        r[i] = wp.where(a[i] < b[i], a[i], b[i])
    return r


@wp.func
def vec_max(a: Any, b: Any):
    r = a
    for i in range(len(a)):
        r[i] = wp.where(a[i] > b[i], a[i], b[i])
    return r


@wp.func
def clamp(x: Any, low: Any, high: Any):
    if x < low:
        return low
    if x > high:
        return high
    return x


@wp.func
def signum(x: Any):
    if wp.isnan(x):
        return x
    return wp.copysign(type(x)(1.0), x)


@wp.func
def isignum(x: Any):
    if x > type(x)(0):
        return type(x)(1)
    if x < type(x)(0):
        return type(x)(-1)
    return type(x)(0)


@wp.func
def rem_euclid(a: Any, b: Any):
    r = a % b
    if r < type(r)(0):
        return r + wp.abs(b)
    return r


@wp.func
def recip(x: Any):
    return type(x)(1.0) / x


@wp.func_native(
    "return fmaf(a, b, c);", "adj_a += b * adj_ret; adj_b += a * adj_ret; adj_c += adj_ret;"
)
def mul_add(a: wp.float32, b: wp.float32, c: wp.float32) -> wp.float32: ...


@wp.func_native(
    "return fma(a, b, c);", "adj_a += b * adj_ret; adj_b += a * adj_ret; adj_c += adj_ret;"
)
def mul_add(a: wp.float64, b: wp.float64, c: wp.float64) -> wp.float64: ...


# By squaring, as in Rust.
@wp.func_native(
    """
    float power = 1, square = x;
    for (int rest = n; rest != 0; rest /= 2) {
        if (rest % 2 != 0) power *= square;
        square *= square;
    }
    return n < 0 ? 1 / power : power;
    """,
    "if (n != 0) adj_x += n * pow(x, n - 1.0f) * adj_ret;",
)
def powi(x: wp.float32, n: wp.int32) -> wp.float32: ...


# By squaring, as in Rust.
@wp.func_native(
    """
    double power = 1, square = x;
    for (int rest = n; rest != 0; rest /= 2) {
        if (rest % 2 != 0) power *= square;
        square *= square;
    }
    return n < 0 ? 1 / power : power;
    """,
    "if (n != 0) adj_x += n * pow(x, n - 1.0) * adj_ret;",
)
def powi(x: wp.float64, n: wp.int32) -> wp.float64: ...


@wp.func
def hypot(x: wp.float32, y: wp.float32):
    if wp.isinf(x) or wp.isinf(y):
        return wp.float32(wp.inf)
    # As 64-bit floats the squares are exact and cannot overflow.
    a = wp.float64(x)
    b = wp.float64(y)
    square = a * a + b * b
    if square == wp.float64(0.0):
        return wp.float32(0.0)
    return wp.float32(wp.sqrt(square))


@wp.func
def hypot(x: wp.float64, y: wp.float64):
    if wp.isinf(x) or wp.isinf(y):
        return wp.float64(wp.inf)
    large = wp.max(wp.abs(x), wp.abs(y))
    if large == wp.float64(0.0):
        return large
    # A power of two keeps the squares in range and rounds nothing.
    scale = wp.float64(1.0)
    if large > wp.float64(1e150):
        scale = wp.float64(7.71174356832923e-180)
    if large < wp.float64(1e-150):
        scale = wp.float64(1.2967236152753103e179)
    a = x * scale
    b = y * scale
    aa = a * a
    bb = b * b
    root = wp.sqrt(wp.max(aa, bb) + wp.min(aa, bb))
    # One step of Newton's method, with what the squares lost when they were rounded.
    square = root * root
    lost = mul_add(a, a, -aa) + mul_add(b, b, -bb) - mul_add(root, root, -square)
    rest = (wp.max(aa, bb) - square) + wp.min(aa, bb) + lost
    return (root + rest / (wp.float64(2.0) * root)) / scale


@wp.func
def exp2(x: Any):
    return wp.pow(type(x)(2.0), x)


@wp.func
def exp_m1(x: Any):
    u = wp.exp(x)
    # Next to zero the rounding errors of `u - 1` and `log(u)` cancel.
    if u == type(x)(1.0):
        return x
    if wp.abs(x) > type(x)(1.0):
        return u - type(x)(1.0)
    return (u - type(x)(1.0)) * x / wp.log(u)


@wp.func
def ln_1p(x: Any):
    u = type(x)(1.0) + x
    if u == type(x)(1.0) or u == type(x)(wp.inf):
        return x
    # The rounding errors of `log(u)` and `u - 1` cancel.
    return wp.log(u) * x / (u - type(x)(1.0))


@wp.func
def asin(x: Any):
    if wp.abs(x) <= type(x)(1.0):
        return wp.asin(x)
    return type(x)(wp.nan)


@wp.func
def acos(x: Any):
    if wp.abs(x) <= type(x)(1.0):
        return wp.acos(x)
    return type(x)(wp.nan)


@wp.func
def to_radians(x: wp.float32):
    return x * 0.017453292


@wp.func
def to_radians(x: wp.float64):
    return x * wp.float64(0.017453292519943295)


@wp.func
def to_degrees(x: wp.float32):
    return x * 57.29578


@wp.func
def to_degrees(x: wp.float64):
    return x * wp.float64(57.29577951308232)


@wp.func
def extend2(v: Any, s: Any):
    return wp.vector(v[0], v[1], s)


@wp.func
def extend3(v: Any, s: Any):
    return wp.vector(v[0], v[1], v[2], s)


@wp.func
def truncate3(v: Any):
    return wp.vector(v[0], v[1])


@wp.func
def truncate4(v: Any):
    return wp.vector(v[0], v[1], v[2])


@wp.func
def perp_dot(a: Any, b: Any):
    return a[0] * b[1] - a[1] * b[0]


@wp.func
def distance(a: Any, b: Any):
    return wp.length(a - b)


@wp.func
def distance_squared(a: Any, b: Any):
    return wp.length_sq(a - b)


@wp.func
def normalize(v: Any):
    length = wp.length(v)
    return v * (type(length)(1.0) / length)


@wp.func
def lerp(a: Any, b: Any, s: Any):
    return a * (type(s)(1.0) - s) + b * s


@wp.func
def reflect(v: Any, normal: Any):
    d = wp.dot(v, normal)
    return v - type(d)(2.0) * d * normal


@wp.func
def min_element(v: Any):
    m = v[len(v) - 1]
    for i in range(len(v) - 2, -1, -1):
        m = wp.where(v[i] < m, v[i], m)
    return m


@wp.func
def max_element(v: Any):
    m = v[len(v) - 1]
    for i in range(len(v) - 2, -1, -1):
        m = wp.where(v[i] > m, v[i], m)
    return m


@wp.func
def element_sum(v: Any):
    s = v[0]
    for i in range(1, len(v)):
        s = s + v[i]
    return s


@wp.func
def element_product(v: Any):
    p = v[0]
    for i in range(1, len(v)):
        p = p * v[i]
    return p


@wp.func
def row(m: Any, i: int):
    return m[i]


@wp.func
def mat_mul(a: Any, b: Any):
    r = a * b
    for j in range(len(b[0])):
        r[:, j] = a * b[:, j]
    return r


@wp.func
def determinant3(m: Any):
    return wp.dot(m[:, 0], wp.cross(m[:, 1], m[:, 2]))


@wp.func
def determinant4(m: Any):
    a2323 = m[2, 2] * m[3, 3] - m[3, 2] * m[2, 3]
    a1323 = m[1, 2] * m[3, 3] - m[3, 2] * m[1, 3]
    a1223 = m[1, 2] * m[2, 3] - m[2, 2] * m[1, 3]
    a0323 = m[0, 2] * m[3, 3] - m[3, 2] * m[0, 3]
    a0223 = m[0, 2] * m[2, 3] - m[2, 2] * m[0, 3]
    a0123 = m[0, 2] * m[1, 3] - m[1, 2] * m[0, 3]
    c0 = m[0, 0] * (m[1, 1] * a2323 - m[2, 1] * a1323 + m[3, 1] * a1223)
    c1 = m[1, 0] * (m[0, 1] * a2323 - m[2, 1] * a0323 + m[3, 1] * a0223)
    c2 = m[2, 0] * (m[0, 1] * a1323 - m[1, 1] * a0323 + m[3, 1] * a0123)
    c3 = m[3, 0] * (m[0, 1] * a1223 - m[1, 1] * a0223 + m[2, 1] * a0123)
    return c0 - c1 + c2 - c3


@wp.func
def inverse2(m: Any):
    det = wp.determinant(m)
    scale = type(det)(1.0) / det
    return type(m)(m[1, 1] * scale, m[0, 1] * neg(scale), m[1, 0] * neg(scale), m[0, 0] * scale)


@wp.func
def inverse3(m: Any):
    r0 = wp.cross(m[:, 1], m[:, 2])
    r1 = wp.cross(m[:, 2], m[:, 0])
    r2 = wp.cross(m[:, 0], m[:, 1])
    det = wp.dot(m[:, 0], r0)
    scale = type(det)(1.0) / det
    return wp.matrix_from_rows(r0 * scale, r1 * scale, r2 * scale)


@wp.func
def minors(p: Any, q: Any):
    """The six 2x2 determinants of two columns of four."""
    return wp.vector(
        p[2] * q[3] - p[3] * q[2],
        p[1] * q[3] - p[3] * q[1],
        p[1] * q[2] - p[2] * q[1],
        p[0] * q[3] - p[3] * q[0],
        p[0] * q[2] - p[2] * q[0],
        p[0] * q[1] - p[1] * q[0],
    )


@wp.func
def cofactors(v: Any, f: Any):
    """The four 3x3 determinants of a column `v` and the two columns of the minors `f`, with the signs +-+-."""
    return wp.vector(
        v[1] * f[0] - v[2] * f[1] + v[3] * f[2],
        neg(v[0] * f[0] - v[2] * f[3] + v[3] * f[4]),
        v[0] * f[1] - v[1] * f[3] + v[3] * f[5],
        neg(v[0] * f[2] - v[1] * f[4] + v[2] * f[5]),
    )


@wp.func
def inverse4(m: Any):
    f23 = minors(m[:, 2], m[:, 3])
    f13 = minors(m[:, 1], m[:, 3])
    f12 = minors(m[:, 1], m[:, 2])
    r0 = cofactors(m[:, 1], f23)
    r1 = -cofactors(m[:, 0], f23)
    r2 = cofactors(m[:, 0], f13)
    r3 = -cofactors(m[:, 0], f12)
    d = wp.cw_mul(m[:, 0], r0)
    det = d[0] + d[1] + d[2] + d[3]
    return wp.matrix_from_rows(r0, r1, r2, r3) * (type(det)(1.0) / det)


@wp.func
def quat_mul(a: Any, b: Any):
    return type(a)(
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
    )


@wp.func
def strong_mul(g: Any, d: Any):
    """An adjoint times a derivative: nothing comes of an adjoint that is zero, whatever the derivative is."""
    return wp.where(g == type(g)(0.0), type(g)(0.0), g * d)


@wp.func
def vec_strong_mul(g: Any, d: Any):
    r = g
    for i in range(len(g)):
        r[i] = strong_mul(g[i], d[i])
    return r


@wp.func
def vec_strong_scale(g: Any, d: Any):
    r = g
    for i in range(len(g)):
        r[i] = strong_mul(g[i], d)
    return r


@wp.func
def mat_strong_scale(g: Any, d: Any):
    r = g
    for i in range(len(g)):
        for j in range(len(g[0])):
            r[i, j] = strong_mul(g[i, j], d)
    return r


@wp.func
def quat_strong_scale(g: Any, d: Any):
    return type(g)(strong_mul(g.x, d), strong_mul(g.y, d), strong_mul(g.z, d), strong_mul(g.w, d))


@wp.func
def strong_scale(g: Any, d: Any):
    if g == type(g)(0.0):
        return type(d)()
    return d * g


@wp.func
def row_strong_mul(g: Any, d: Any):
    r = g * d
    for j in range(len(r)):
        r[j] = strong_dot(g, d[:, j])
    return r


@wp.func
def mat_strong_mul(g: Any, d: Any):
    r = g * d
    for j in range(len(d[0])):
        for i in range(len(g)):
            r[i, j] = strong_dot(g[i], d[:, j])
    return r


@wp.func
def quat_strong_mul(g: Any, d: Any):
    return type(g)(
        strong_mul(g.w, d.x) + strong_mul(g.x, d.w) + strong_mul(g.y, d.z) - strong_mul(g.z, d.y),
        strong_mul(g.w, d.y) - strong_mul(g.x, d.z) + strong_mul(g.y, d.w) + strong_mul(g.z, d.x),
        strong_mul(g.w, d.z) + strong_mul(g.x, d.y) - strong_mul(g.y, d.x) + strong_mul(g.z, d.w),
        strong_mul(g.w, d.w) - strong_mul(g.x, d.x) - strong_mul(g.y, d.y) - strong_mul(g.z, d.z),
    )


@wp.func
def strong_div(g: Any, d: Any):
    """An adjoint by a number: nothing comes of an adjoint that is zero, whatever the number is."""
    return wp.where(g == type(g)(0.0), type(g)(0.0), g / d)


@wp.func
def vec_strong_div(g: Any, d: Any):
    r = g
    for i in range(len(g)):
        r[i] = strong_div(g[i], d[i])
    return r


@wp.func
def vec_strong_over(g: Any, d: Any):
    r = g
    for i in range(len(g)):
        r[i] = strong_div(g[i], d)
    return r


@wp.func
def quat_strong_over(g: Any, d: Any):
    return type(g)(strong_div(g.x, d), strong_div(g.y, d), strong_div(g.z, d), strong_div(g.w, d))


@wp.func
def strong_dot(g: Any, d: Any):
    s = strong_mul(g[0], d[0])
    for i in range(1, len(g)):
        s = s + strong_mul(g[i], d[i])
    return s


@wp.func
def quat_strong_dot(g: Any, d: Any):
    return strong_mul(g.x, d.x) + strong_mul(g.y, d.y) + strong_mul(g.z, d.z) + strong_mul(g.w, d.w)


@wp.func
def strong_cross(g: Any, d: Any):
    return type(g)(
        strong_mul(g[1], d[2]) - strong_mul(g[2], d[1]),
        strong_mul(g[2], d[0]) - strong_mul(g[0], d[2]),
        strong_mul(g[0], d[1]) - strong_mul(g[1], d[0]),
    )


@wp.func
def quat_rotate(q: Any, v: Any):
    w = q.w
    b = type(v)(q.x, q.y, q.z)
    two = type(w)(2.0)
    return v * (w * w - wp.dot(b, b)) + b * (wp.dot(v, b) * two) + wp.cross(b, v) * (w * two)


@wp.func
def to_i32(x: Any):
    if wp.isnan(x):
        return 0
    if x <= type(x)(-2147483648.0):
        return -2147483648
    if x >= type(x)(2147483648.0):
        return 2147483647
    return int(x)


@wp.func
def to_u32(x: Any):
    if not x > type(x)(0.0):
        return wp.uint32(0)
    if x >= type(x)(4294967296.0):
        return wp.uint32(4294967295)
    return wp.uint32(x)


@wp.func
def to_i64(x: Any):
    if wp.isnan(x):
        return wp.int64(0)
    if x <= type(x)(-9223372036854775808.0):
        return wp.int64(-9223372036854775808)
    if x >= type(x)(9223372036854775808.0):
        return wp.int64(9223372036854775807)
    return wp.int64(x)


@wp.func
def to_u64(x: Any):
    if not x > type(x)(0.0):
        return wp.uint64(0)
    if x >= type(x)(18446744073709551616.0):
        return wp.uint64(18446744073709551615)
    return wp.uint64(x)


@wp.func
def to_index(x: Any):
    """A float as an index."""
    if not x > type(x)(0.0):
        return 0
    if x >= type(x)(2147483647.0):
        return 2147483647
    return int(x)


@wp.func
def as_index(x: Any):
    """An integer as an index. Rust makes a negative one huge; an index of Warp ends at 2147483647."""
    if x < type(x)(0) or x > type(x)(2147483647):
        return 2147483647
    return int(x)
