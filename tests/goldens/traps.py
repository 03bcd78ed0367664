import warp as wp


@wp.kernel
def atomic_results(
    x: wp.array(dtype=wp.int32),
    counter: wp.array(dtype=wp.int32),
    out: wp.array(dtype=wp.int32),
    least: wp.array(dtype=wp.float32),
):
    """Atomics give the old value, and happen in the order in which they are written."""
    i = wp.tid()
    old = wp.atomic_add(counter, i, 5)
    old_1 = wp.atomic_sub(counter, i, 2)
    old_2 = wp.atomic_max(counter, i, x[i])
    difference = old * 100 - old_1 * 10 + old_2
    taken = 0
    holds = x[i] > 3
    if holds:
        old_3 = wp.atomic_add(counter, i, 1000)
        holds = old_3 > 5
    if holds:
        taken = 1
    out[i] = difference * 10 + taken + counter[i] * 10000
    old_4 = wp.atomic_min(least, i, float(x[i]) - 4.0)
    least[i] = old_4 + least[i] * 10.0


from typing import Any

import warp as wp


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


@wp.kernel
def bits(
    x: wp.array(dtype=wp.int32),
    leading: wp.array(dtype=wp.uint32),
    trailing: wp.array(dtype=wp.uint32),
    ones: wp.array(dtype=wp.uint32),
    rotated: wp.array(dtype=wp.int32),
    long_: wp.array(dtype=wp.uint32),
):
    """Counting bits, of zero and of negative numbers too."""
    i = wp.tid()
    leading[i] = leading_zeros(x[i])
    trailing[i] = trailing_zeros(x[i])
    ones[i] = count_ones(~x[i])
    rotated[i] = rotate_left(x[i], wp.uint32(i) * wp.uint32(8)) ^ rotate_right(x[i], wp.uint32(33))
    long_[i] = (
        leading_zeros(wp.int64(x[i])) * wp.uint32(100)
        + trailing_zeros(wp.uint64(x[i]) ^ wp.uint64(1))
    )


import warp as wp


@wp.kernel
def block_values(x: wp.array(dtype=wp.int32), out: wp.array(dtype=wp.int32)):
    """Branches that are expressions, in one another, with locals of their own."""
    i = wp.tid()
    if x[i] > 2:
        t = x[i] - 2
        if t % 2 == 0:
            y = t * t
        else:
            u = t + 1
            y = u * 10
    elif x[i] < -2:
        t_1 = -x[i]
        y = t_1 * 100
    else:
        y = 0
    y_1 = y + 1
    z = y_1 * 2
    out[i] = y + z


import warp as wp


@wp.kernel
def bool_to_int(
    x: wp.array(dtype=wp.float32),
    signed_: wp.array(dtype=wp.int32),
    unsigned_: wp.array(dtype=wp.uint32),
    long_: wp.array(dtype=wp.int64),
    index: wp.array(dtype=wp.uint32),
):
    """Truth values count as 1 and 0."""
    i = wp.tid()
    positive = x[i] > 0.0
    signed_[i] = int(positive) - int(x[i] < 0.0)
    unsigned_[i] = wp.uint32(5) * wp.uint32(x[i] != 0.0)
    long_[i] = -wp.int64(positive)
    index[i] = wp.uint32(i + int(not positive))


import warp as wp


@wp.kernel
def break_continue(
    n: wp.array(dtype=wp.int32),
    out: wp.array(dtype=wp.int32),
    trips: wp.array(dtype=wp.int32),
):
    """`break` and `continue` belong to the innermost loop."""
    i = wp.tid()
    sum = int(0)
    count = int(0)
    for a in range(n[i]):
        if a == 1:
            continue
        b = int(0)
        while b < 10:
            b += 1
            if b % 3 == 0:
                continue
            if b > a + 4:
                break
            sum += a * 10 + b
        while True:
            count += 1
            if count % 4 == 0:
                break
        if a == 6:
            break
    out[i] = sum
    trips[i] = count


import warp as wp


@wp.kernel
def deferred_let(x: wp.array(dtype=wp.float32), out: wp.array(dtype=wp.float32)):
    """A variable gets its only value in one branch or the other."""
    i = wp.tid()
    if x[i] > 0.0:
        scale = 2.0
    elif x[i] < 0.0:
        scale = -3.0
    else:
        out[i] = 7.0
        return
    total = float(0.0)
    for j in range(3):
        if j == 1:
            term = 100.0
        else:
            term = scale * x[i]
        total += term
    out[i] = total


import warp as wp


@wp.kernel
def double_(x: wp.array(dtype=wp.float64), float2: wp.array(dtype=wp.float64)):
    """A kernel that is called like a type."""
    int_ = wp.tid()
    bool_ = x[int_] > wp.float64(0.0)
    assert_ = x[int_] if bool_ else wp.float64(0.5)
    float2[int_] = assert_ + x[int_]


from typing import Any

import warp as wp


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


@wp.kernel
def double_to_int(
    x: wp.array(dtype=wp.float64),
    signed_: wp.array(dtype=wp.int32),
    unsigned_: wp.array(dtype=wp.uint32),
    long_: wp.array(dtype=wp.int64),
    unsigned_long: wp.array(dtype=wp.uint64),
):
    """The same from `f64`."""
    i = wp.tid()
    signed_[i] = to_i32(x[i])
    unsigned_[i] = to_u32(x[i])
    long_[i] = to_i64(x[i])
    unsigned_long[i] = to_u64(x[i])


import warp as wp


@wp.kernel
def early_return(
    wanted: wp.array(dtype=wp.int32),
    row: wp.array(dtype=wp.int32),
    col: wp.array(dtype=wp.int32),
):
    """A thread ends inside two loops."""
    i = wp.tid()
    row[i] = -1
    for r in range(5):
        for c in range(r + 1):
            if r * r + c == wanted[i]:
                row[i] = r
                col[i] = c
                return
        if r > 3:
            return
    row[i] = -2


import warp as wp


@wp.kernel
def effects_in_indices(x: wp.array(dtype=wp.int32), out: wp.array(dtype=wp.int32)):
    """Indices and conditions with effects."""
    i = wp.tid()
    n = i * 4
    before = n
    n += 1
    out[n] = before
    n += 1
    n += 1
    out[n] += x[i] + 7
    calls = 0
    calls += 1
    holds = x[i] > 0
    if holds:
        calls += 10
        holds = x[i] > 1
    holds_1 = holds
    if not holds_1:
        calls += 100
        holds_1 = False
    if holds_1:
        calls += 1000
    out[i * 4] = calls
    calls = 5
    out[i * 4 + 2] = calls if calls > x[i] else -calls


import warp as wp


@wp.kernel
def effects_in_operands(
    x: wp.array(dtype=wp.int32),
    out: wp.array(dtype=wp.int32),
    updated: wp.array(dtype=wp.int32),
):
    """Operands that change what other operands read."""
    i = wp.tid()
    n = x[i]
    before = n
    n += 1
    left = before + n * 10 + n
    n *= 2
    before_1 = n
    before_2 = n
    n = 3
    right = before_1 - before_2 * n
    out[i] = left * 1000 + right
    n = 10
    n += n
    updated[i] = n


import warp as wp


@wp.kernel
def empty_ranges(
    first: wp.array(dtype=wp.int64),
    last: wp.array(dtype=wp.int64),
    count: wp.array(dtype=wp.int32),
):
    """Ranges that end far before they begin, and one that its body leaves long before its end."""
    i = wp.tid()
    start = first[i]
    end = last[i]
    for _ in range(int(wp.max(end, start) - start)):
        count[i] += 1
    end_1 = last[i] - first[i]
    for _ in range(int(wp.max(end_1, wp.int64(0))) + int(end_1 >= wp.int64(0))):
        count[i] += 10
    start_1 = int(first[i])
    end_2 = int(last[i])
    for _ in range(wp.max(end_2, start_1) - start_1 + int(end_2 >= start_1)):
        count[i] += 100
    end_3 = int(last[i])
    trip = int(-1)
    while trip < end_3:
        trip += 1
        count[i] += 1000
        for k in range(2147483646, -6, -1):
            trip_1 = int(0)
            while trip_1 < k:
                trip_1 += 1
                count[i] += 10000
                break
            break


import warp as wp


@wp.kernel
def ends_of_i32(
    first: wp.array(dtype=wp.int32),
    last: wp.array(dtype=wp.int32),
    digits: wp.array(dtype=wp.int32),
):
    """Ranges up to the largest and down to the smallest integer."""
    i = wp.tid()
    a = first[i]
    b = last[i]
    for trip in range(wp.max(b, a) - a + int(b >= a)):
        j = a + trip
        digits[i * 6] = digits[i * 6] * 10 + (j - a) + 1
    for trip_1 in range(0, wp.max(b, a) - a + int(b >= a), 2):
        j = a + trip_1
        digits[i * 6 + 1] = digits[i * 6 + 1] * 10 + (j - a) + 1
    for trip_2 in range(wp.max(b, a) - a + int(b >= a)):
        j = b - trip_2
        digits[i * 6 + 2] = digits[i * 6 + 2] * 10 + (j - a) + 1
    j = int(b)
    while j > a:
        j -= 1
        digits[i * 6 + 3] = digits[i * 6 + 3] * 10 + (j - a) + 1
    for trip_3 in range(0, wp.max(b, a) - a, 2):
        j = b - 1 - trip_3
        digits[i * 6 + 4] = digits[i * 6 + 4] * 10 + (j - a) + 1
    start = 2147483647 - 2
    for trip_4 in range(0, wp.max(2147483647, start) - start + int(2147483647 >= start), 2):
        j = 2147483647 - trip_4
        digits[i * 6 + 5] = digits[i * 6 + 5] * 10 + (2147483647 - j) + 1


import warp as wp


@wp.kernel
def ends_of_i64(
    first: wp.array(dtype=wp.int64),
    last: wp.array(dtype=wp.int64),
    digits: wp.array(dtype=wp.int32),
):
    """Ranges up to the largest and down to the smallest integer."""
    i = wp.tid()
    a = first[i]
    b = last[i]
    for trip in range(int(wp.max(b, a) - a) + int(b >= a)):
        j = a + wp.int64(trip)
        digits[i * 6] = digits[i * 6] * 10 + int(j - a) + 1
    for trip_1 in range(0, int(wp.max(b, a) - a) + int(b >= a), 2):
        j = a + wp.int64(trip_1)
        digits[i * 6 + 1] = digits[i * 6 + 1] * 10 + int(j - a) + 1
    for trip_2 in range(int(wp.max(b, a) - a) + int(b >= a)):
        j = b - wp.int64(trip_2)
        digits[i * 6 + 2] = digits[i * 6 + 2] * 10 + int(j - a) + 1
    for trip_3 in range(int(wp.max(b, a) - a)):
        j = b - wp.int64(trip_3 + 1)
        digits[i * 6 + 3] = digits[i * 6 + 3] * 10 + int(j - a) + 1
    for trip_4 in range(0, int(wp.max(b, a) - a), 2):
        j = b - wp.int64(trip_4 + 1)
        digits[i * 6 + 4] = digits[i * 6 + 4] * 10 + int(j - a) + 1
    start = wp.int64(9223372036854775807) - wp.int64(2)
    for trip_5 in range(
        0,
        int(wp.max(wp.int64(9223372036854775807), start) - start)
            + int(wp.int64(9223372036854775807) >= start),
        2,
    ):
        j = wp.int64(9223372036854775807) - wp.int64(trip_5)
        digits[i * 6 + 5] = digits[i * 6 + 5] * 10 + int(wp.int64(9223372036854775807) - j) + 1


import warp as wp


@wp.kernel
def ends_of_u32(
    first: wp.array(dtype=wp.uint32),
    last: wp.array(dtype=wp.uint32),
    digits: wp.array(dtype=wp.int32),
):
    """Ranges up to the largest and down to the smallest integer."""
    i = wp.tid()
    a = first[i]
    b = last[i]
    for trip in range(int(wp.max(b, a) - a) + int(b >= a)):
        j = a + wp.uint32(trip)
        digits[i * 6] = digits[i * 6] * 10 + int(j - a) + 1
    for trip_1 in range(0, int(wp.max(b, a) - a) + int(b >= a), 2):
        j = a + wp.uint32(trip_1)
        digits[i * 6 + 1] = digits[i * 6 + 1] * 10 + int(j - a) + 1
    for trip_2 in range(int(wp.max(b, a) - a) + int(b >= a)):
        j = b - wp.uint32(trip_2)
        digits[i * 6 + 2] = digits[i * 6 + 2] * 10 + int(j - a) + 1
    for trip_3 in range(int(wp.max(b, a) - a)):
        j = b - wp.uint32(trip_3 + 1)
        digits[i * 6 + 3] = digits[i * 6 + 3] * 10 + int(j - a) + 1
    for trip_4 in range(0, int(wp.max(b, a) - a), 2):
        j = b - wp.uint32(trip_4 + 1)
        digits[i * 6 + 4] = digits[i * 6 + 4] * 10 + int(j - a) + 1
    start = wp.uint32(4294967295) - wp.uint32(2)
    for trip_5 in range(
        0,
        int(wp.max(wp.uint32(4294967295), start) - start) + int(wp.uint32(4294967295) >= start),
        2,
    ):
        j = wp.uint32(4294967295) - wp.uint32(trip_5)
        digits[i * 6 + 5] = digits[i * 6 + 5] * 10 + int(wp.uint32(4294967295) - j) + 1


import warp as wp


@wp.kernel
def ends_of_u64(
    first: wp.array(dtype=wp.uint64),
    last: wp.array(dtype=wp.uint64),
    digits: wp.array(dtype=wp.int32),
):
    """Ranges up to the largest and down to the smallest integer."""
    i = wp.tid()
    a = first[i]
    b = last[i]
    for trip in range(int(wp.max(b, a) - a) + int(b >= a)):
        j = a + wp.uint64(trip)
        digits[i * 6] = digits[i * 6] * 10 + int(j - a) + 1
    for trip_1 in range(0, int(wp.max(b, a) - a) + int(b >= a), 2):
        j = a + wp.uint64(trip_1)
        digits[i * 6 + 1] = digits[i * 6 + 1] * 10 + int(j - a) + 1
    for trip_2 in range(int(wp.max(b, a) - a) + int(b >= a)):
        j = b - wp.uint64(trip_2)
        digits[i * 6 + 2] = digits[i * 6 + 2] * 10 + int(j - a) + 1
    for trip_3 in range(int(wp.max(b, a) - a)):
        j = b - wp.uint64(trip_3 + 1)
        digits[i * 6 + 3] = digits[i * 6 + 3] * 10 + int(j - a) + 1
    for trip_4 in range(0, int(wp.max(b, a) - a), 2):
        j = b - wp.uint64(trip_4 + 1)
        digits[i * 6 + 4] = digits[i * 6 + 4] * 10 + int(j - a) + 1
    start = wp.uint64(18446744073709551615) - wp.uint64(2)
    for trip_5 in range(
        0,
        int(wp.max(wp.uint64(18446744073709551615), start) - start)
            + int(wp.uint64(18446744073709551615) >= start),
        2,
    ):
        j = wp.uint64(18446744073709551615) - wp.uint64(trip_5)
        digits[i * 6 + 5] = digits[i * 6 + 5] * 10 + int(wp.uint64(18446744073709551615) - j) + 1


from typing import Any

import warp as wp


@wp.func
def rem_euclid(a: Any, b: Any):
    r = a % b
    if r < type(r)(0):
        return r + wp.abs(b)
    return r


@wp.kernel
def euclid(
    a: wp.array(dtype=wp.int32),
    b: wp.array(dtype=wp.int32),
    remainder: wp.array(dtype=wp.int32),
    long_: wp.array(dtype=wp.int64),
    float_: wp.array(dtype=wp.float32),
):
    """The remainder that is never negative, whatever the signs."""
    i = wp.tid()
    remainder[i] = rem_euclid(a[i], b[i])
    long_[i] = rem_euclid(wp.int64(a[i]) * wp.int64(4294967296), wp.int64(b[i]))
    float_[i] = rem_euclid(float(a[i]) / 4.0, float(b[i]))


from typing import Any

import warp as wp


@wp.func
def neg(x: Any):
    # Warp's own `-x` is `0 - x`, which is never -0.
    return x * type(x)(-1.0)


@wp.kernel
def extreme_constants(
    signed_: wp.array(dtype=wp.int32),
    long_: wp.array(dtype=wp.int64),
    unsigned_: wp.array(dtype=wp.uint32),
    unsigned_long: wp.array(dtype=wp.uint64),
    float_: wp.array(dtype=wp.float32),
    double_: wp.array(dtype=wp.float64),
):
    """Constants at the ends of their types."""
    i = wp.tid()
    signed_[i] = -2147483648 if i == 0 else -2147483647 - 1 + 2147483647
    long_[i] = (
        wp.int64(-9223372036854775808)
        if i == 0
        else wp.int64(9223372036854775807) - wp.int64(9223372036854775806)
    )
    unsigned_[i] = wp.uint32(4294967295) - wp.uint32(i)
    unsigned_long[i] = (
        wp.uint64(18446744073709551615) - wp.uint64(18446744069414584320) * wp.uint64(i % 2)
    )
    float_[i] = 3.4028235e38 if i == 0 else 1.1754944e-38 * 0.001
    double_[i] = (
        neg(wp.float64(1.7976931348623157e308))
        if i == 0
        else wp.float64(2.220446049250313e-16) + wp.float64(1e-310)
    )


import warp as wp


@wp.kernel
def fixed_bounds(n: wp.array(dtype=wp.int32), sum: wp.array(dtype=wp.int32)):
    """The bounds of a range are evaluated once, its variable is new on every trip, and the outer one comes back."""
    i = wp.tid()
    end = n[i]
    total = int(0)
    step = int(1)
    for j in range(end):
        end += 5
        total = total * 10 + j
    for j in range(0, n[i] + 3, step + 1):
        n[i] -= 1
        step = int(7)
        j_1 = j + 1
        for j_2 in range(2):
            total += j_2
        total = total * 10 + j_1
    j_3 = end
    for j_4 in range(step - 1, -1, -1):
        if j_4 < 6:
            break
        total += j_4 * 1000
    sum[i] = total + j_3


import warp as wp


@wp.kernel
def float_remainder(
    x: wp.array(dtype=wp.float32),
    y: wp.array(dtype=wp.float32),
    single: wp.array(dtype=wp.float32),
    double_: wp.array(dtype=wp.float64),
):
    """The float remainder has the sign of the dividend."""
    i = wp.tid()
    single[i] = x[i] % y[i]
    rest = wp.float64(x[i]) * wp.float64(10.0)
    rest %= wp.float64(y[i])
    double_[i] = rest


from typing import Any

import warp as wp


@wp.func
def to_index(x: Any):
    """A float as an index."""
    if not x > type(x)(0.0):
        return 0
    if x >= type(x)(2147483647.0):
        return 2147483647
    return int(x)


@wp.kernel
def float_to_index(
    place: wp.array(dtype=wp.float32),
    table: wp.array(dtype=wp.float32),
    out: wp.array(dtype=wp.float32),
):
    """An element of a table at a place that is computed in floats; what lies below the table is its first element."""
    i = wp.tid()
    out[i] = table[wp.min(to_index(place[i]), table.shape[0] - 1)]


from typing import Any

import warp as wp


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


@wp.kernel
def float_to_int(
    x: wp.array(dtype=wp.float32),
    signed_: wp.array(dtype=wp.int32),
    unsigned_: wp.array(dtype=wp.uint32),
    long_: wp.array(dtype=wp.int64),
    unsigned_long: wp.array(dtype=wp.uint64),
):
    """Floats outside the range of an integer become its ends, NaN becomes 0."""
    i = wp.tid()
    signed_[i] = to_i32(x[i])
    unsigned_[i] = to_u32(x[i])
    long_[i] = to_i64(x[i])
    unsigned_long[i] = to_u64(x[i])


from typing import Any

import warp as wp


@wp.func
def to_i8(x: Any):
    if wp.isnan(x):
        return wp.int8(0)
    if x <= type(x)(-128.0):
        return wp.int8(-128)
    if x >= type(x)(127.0):
        return wp.int8(127)
    return wp.int8(x)


@wp.func
def to_u8(x: Any):
    if not x > type(x)(0.0):
        return wp.uint8(0)
    if x >= type(x)(255.0):
        return wp.uint8(255)
    return wp.uint8(x)


@wp.func
def to_i16(x: Any):
    if wp.isnan(x):
        return wp.int16(0)
    if x <= type(x)(-32768.0):
        return wp.int16(-32768)
    if x >= type(x)(32767.0):
        return wp.int16(32767)
    return wp.int16(x)


@wp.func
def to_u16(x: Any):
    if not x > type(x)(0.0):
        return wp.uint16(0)
    if x >= type(x)(65535.0):
        return wp.uint16(65535)
    return wp.uint16(x)


@wp.kernel
def float_to_narrow(
    x: wp.array(dtype=wp.float32),
    wide: wp.array(dtype=wp.float64),
    byte: wp.array(dtype=wp.int8),
    unsigned_byte: wp.array(dtype=wp.uint8),
    word: wp.array(dtype=wp.int16),
    unsigned_word: wp.array(dtype=wp.uint16),
    wide_byte: wp.array(dtype=wp.int8),
    wide_unsigned: wp.array(dtype=wp.uint8),
    wide_word: wp.array(dtype=wp.int16),
    wide_unsigned_word: wp.array(dtype=wp.uint16),
):
    """Floats outside the range of a narrow integer become its ends, NaN becomes 0."""
    i = wp.tid()
    byte[i] = to_i8(x[i])
    unsigned_byte[i] = to_u8(x[i])
    word[i] = to_i16(x[i])
    unsigned_word[i] = to_u16(x[i])
    wide_byte[i] = to_i8(wide[i])
    wide_unsigned[i] = to_u8(wide[i])
    wide_word[i] = to_i16(wide[i])
    wide_unsigned_word[i] = to_u16(wide[i])


from typing import Any

import warp as wp


@wp.func
def neg(x: Any):
    # Warp's own `-x` is `0 - x`, which is never -0.
    return x * type(x)(-1.0)


@wp.kernel
def grouping(
    a: wp.array(dtype=wp.int32),
    b: wp.array(dtype=wp.int32),
    out: wp.array(dtype=wp.int32),
    logic: wp.array(dtype=wp.int32),
    float_: wp.array(dtype=wp.float32),
):
    """Parentheses that matter."""
    i = wp.tid()
    x = a[i]
    y = b[i]
    out[i] = (
        x - (y - 3) - (x + y) * (7 / (y * 2) + 40 / y * 2) - -(x - y) - --x + x % (y % 5 + 1) * 3
    )
    out[i] += (
        (x & 6)
        + (y | 1) * (x ^ y)
        + (~x & 15)
        - ((x << 1) & 12)
        + (1 << (y & 3))
        + ((x & y) | (x ^ (3 & y)))
    )
    bits = 0
    bits += 1 if (x & 1) == 1 else 0
    bits += 2 if (x < y) == (y < 5) else 0
    bits += 4 if (not x == y) != (x > 4) else 0
    bits += 8 if x > 2 or x < 2 and y > 3 else 0
    bits += 16 if (x > 2 or x < 2) and y > 3 else 0
    bits += 32 if not (x > 2 and y > 2) else 0
    bits += 64 if (x > 2) != (y > 2) and x != y or y == 8 else 0
    logic[i] = bits
    f = float(x)
    g = float(y)
    float_[i] = (
        f
        - (g - f * (g + 0.5)) / (f / g)
        - neg(wp.max(g, f)) * neg(f + g)
        + wp.abs(neg(f))
        - f / g / f / (g * f) * 0.1
    )


import warp as wp


@wp.kernel
def guarded_logic(x: wp.array(dtype=wp.float32), peak: wp.array(dtype=wp.int32)):
    """`&&` and `||` do not look at their second operand where the first decides."""
    i = wp.tid()
    n = x.shape[0]
    rises = i == 0 or x[i - 1] < x[i]
    falls = i + 1 == n or x[i + 1] < x[i]
    last_falls = not (i + 1 < n and not x[i + 1] < x[i])
    peak[i] = 1 if rises and falls and last_falls else 0


import warp as wp


@wp.kernel
def guarded_select(
    x: wp.array(dtype=wp.int32),
    divisor: wp.array(dtype=wp.int32),
    left: wp.array(dtype=wp.int32),
    ratio: wp.array(dtype=wp.int32),
):
    """Of an `if` that gives a value only one side is evaluated."""
    i = wp.tid()
    left[i] = (x[i - 1] if i > 0 else -1) + (x[i + 2] if i + 2 < x.shape[0] else 0)
    ratio[i] = x[i] / divisor[i] if divisor[i] != 0 and x[i] / divisor[i] > 1 else 100


import warp as wp


@wp.kernel
def guarded_while(x: wp.array(dtype=wp.int32), run: wp.array(dtype=wp.int32)):
    """A loop ends before its condition looks beyond the end."""
    i = wp.tid()
    end = i
    while end < x.shape[0] and x[end] == x[i]:
        end += 1
    run[i] = end - i


from typing import Any

import warp as wp


@wp.func
def as_index(x: Any):
    """An integer as an index. Rust makes a negative one huge; an index of Warp ends at 2147483647."""
    if x < type(x)(0) or x > type(x)(2147483647):
        return 2147483647
    return int(x)


@wp.kernel
def index_ranges(n: wp.array(dtype=wp.uint32), digits: wp.array(dtype=wp.int32)):
    """Ranges of indices, whose ends are where an unsigned number is about to pass zero."""
    i = wp.tid()
    end = as_index(n[i])
    for j in range(end - 1, -1, -1):
        digits[i * 5] = digits[i * 5] * 10 + j + 1
    for j in range(end, -1, -1):
        digits[i * 5 + 1] = digits[i * 5 + 1] * 10 + j + 1
    for j in range(end, -1, -2):
        digits[i * 5 + 2] = digits[i * 5 + 2] * 10 + j + 1
    for j in range(end - 1, -1, -3):
        digits[i * 5 + 3] = digits[i * 5 + 3] * 10 + j + 1
    for j in range(end - 1, 1, -1):
        digits[i * 5 + 4] = digits[i * 5 + 4] * 10 + j + 1


import warp as wp


@wp.kernel
def int_to_float(
    x: wp.array(dtype=wp.int32),
    u: wp.array(dtype=wp.uint32),
    long_: wp.array(dtype=wp.int64),
    single: wp.array(dtype=wp.float32),
    from_unsigned: wp.array(dtype=wp.float32),
    from_long: wp.array(dtype=wp.float32),
    double_: wp.array(dtype=wp.float64),
    from_unsigned_long: wp.array(dtype=wp.float64),
):
    """Integers that no float holds go to the nearest, to even where two are as near."""
    i = wp.tid()
    single[i] = float(x[i])
    from_unsigned[i] = float(u[i])
    from_long[i] = float(long_[i])
    double_[i] = wp.float64(long_[i])
    from_unsigned_long[i] = wp.float64(wp.uint64(long_[i]))


import warp as wp


@wp.kernel
def int_to_int(
    x: wp.array(dtype=wp.int64),
    signed_: wp.array(dtype=wp.int32),
    unsigned_: wp.array(dtype=wp.uint32),
    sign_extended: wp.array(dtype=wp.uint64),
    zero_extended: wp.array(dtype=wp.int64),
    reread: wp.array(dtype=wp.int64),
):
    """Integers lose their high bits, or get copies of their sign."""
    i = wp.tid()
    signed_[i] = int(x[i])
    unsigned_[i] = wp.uint32(x[i])
    sign_extended[i] = wp.uint64(int(x[i]))
    zero_extended[i] = wp.int64(wp.uint32(x[i]))
    reread[i] = wp.int64(int(wp.uint32(x[i])))


import warp as wp


@wp.kernel
def int_to_narrow(
    x: wp.array(dtype=wp.int64),
    byte: wp.array(dtype=wp.int8),
    unsigned_byte: wp.array(dtype=wp.uint8),
    word: wp.array(dtype=wp.int16),
    unsigned_word: wp.array(dtype=wp.uint16),
    from_byte: wp.array(dtype=wp.int64),
    from_word: wp.array(dtype=wp.uint32),
    between: wp.array(dtype=wp.uint16),
    float_: wp.array(dtype=wp.float32),
    truth: wp.array(dtype=wp.uint8),
):
    """Integers lose the bits for which a narrow one has no room; its sign goes on into the bits of a wider one."""
    i = wp.tid()
    byte[i] = wp.int8(x[i])
    unsigned_byte[i] = wp.uint8(wp.uint32(x[i]))
    word[i] = wp.int16(int(x[i]))
    unsigned_word[i] = wp.uint16(wp.uint64(x[i]))
    from_byte[i] = wp.int64(wp.int8(x[i])) - wp.int64(wp.uint8(x[i]))
    from_word[i] = wp.uint32(wp.int16(x[i])) ^ wp.uint32(wp.uint16(x[i]))
    between[i] = wp.uint16(wp.int8(x[i])) - wp.uint16(wp.uint8(wp.int16(wp.int8(wp.uint8(x[i])))))
    float_[i] = float(wp.int8(x[i])) + float(wp.uint16(x[i]))
    truth[i] = wp.uint8(x[i] > wp.int64(0)) + wp.uint8(int(wp.uint8(x[i])) % 2)


from typing import Any

import warp as wp


@wp.func
def to_i32(x: Any):
    if wp.isnan(x):
        return 0
    if x <= type(x)(-2147483648.0):
        return -2147483648
    if x >= type(x)(2147483648.0):
        return 2147483647
    return int(x)


@wp.kernel
def lambda_(
    float_: float,
    int_: int,
    dim: wp.array(dtype=wp.float32),
    index_t: wp.array(dtype=wp.int32),
    threadIdx: wp.array(dtype=wp.float32),
    wp_: wp.array(dtype=wp.int32),
):
    """Parameters and locals that other languages keep for themselves."""
    min = wp.tid()
    vec3 = wp.min(dim[min], float_)
    double_ = vec3 * 2.0
    pass_ = double_ + wp.max(dim[min], 1.0)
    range_ = index_t[min] % 4
    def_ = int(0)
    for not_ in range(range_):
        def_ += not_ * int_
    unsigned_ = wp.vec3(pass_, double_, vec3)
    dot = wp.dot(unsigned_, unsigned_)
    blockDim = wp.abs(wp.sqrt(dot))
    threadIdx[min] = blockDim - dot
    wp_[min] = def_ + wp.abs(to_i32(float_))


import warp as wp


@wp.kernel
def large_unsigned(
    a: wp.array(dtype=wp.uint32),
    b: wp.array(dtype=wp.uint32),
    quotient: wp.array(dtype=wp.uint32),
    remainder: wp.array(dtype=wp.uint32),
    shifted: wp.array(dtype=wp.uint32),
    wide: wp.array(dtype=wp.uint64),
    less: wp.array(dtype=wp.int32),
):
    """Unsigned numbers with the highest bit set are large, not negative."""
    i = wp.tid()
    quotient[i] = a[i] // b[i]
    remainder[i] = a[i] % b[i]
    shifted[i] = a[i] >> wp.uint32(3)
    wide[i] = (
        wp.uint64(a[i]) * wp.uint64(b[i]) // wp.uint64(3)
        + wp.uint64(18446744073709551615) // wp.uint64(5)
    )
    less[i] = 1 if a[i] < b[i] else 0


import warp as wp


@wp.kernel
def long_division(
    a: wp.array(dtype=wp.int64),
    b: wp.array(dtype=wp.int64),
    quotient: wp.array(dtype=wp.int64),
    remainder: wp.array(dtype=wp.int64),
):
    """The same with 64 bits."""
    i = wp.tid()
    quotient[i] = a[i] / b[i]
    remainder[i] = a[i]
    remainder[i] %= b[i]


import warp as wp


@wp.kernel
def loop_state(
    n: wp.array(dtype=wp.int32),
    fibonacci: wp.array(dtype=wp.int32),
    found: wp.array(dtype=wp.int32),
    moved: wp.array(dtype=wp.float32),
    corner: wp.array(dtype=wp.vec2),
):
    """Variables begin with constants and change in loops and branches; a copy stays what it was."""
    i = wp.tid()
    a = int(0)
    b = int(1)
    seen = bool(False)
    at = int(-1)
    for j in range(n[i]):
        old = a
        a = b
        b += old
        if not seen and b > 4:
            seen = bool(True)
            at = j
    fibonacci[i] = a
    found[i] = at if seen else -5
    v = wp.vec2(1.0, 2.0)
    before = v
    w = before
    for _ in range(3):
        t = v
        v.x += 1.0
        v.y = t.x * 10.0
        w = t
    moved[i] = before.x + before.y * 0.5 + w.x * 1000.0
    corner[i] = v
    corner[i].x -= w.y


import warp as wp


@wp.kernel
def nan_comparison(
    x: wp.array(dtype=wp.float32),
    y: wp.array(dtype=wp.float32),
    out: wp.array(dtype=wp.int32),
):
    """A comparison with NaN is false, so its opposite is not the opposite comparison."""
    i = wp.tid()
    bits = 0
    if not x[i] < y[i]:
        bits += 1
    if x[i] >= y[i]:
        bits += 2
    if x[i] != y[i]:
        bits += 4
    if not (x[i] > y[i] or x[i] == y[i]):
        bits += 8
    bits += 16 if wp.isnan(x[i]) else 0
    bits += 32 if wp.isfinite(y[i]) else 0
    out[i] = bits


from typing import Any

import warp as wp


@wp.func
def clamp(x: Any, low: Any, high: Any):
    if x < low:
        return low
    if x > high:
        return high
    return x


@wp.kernel
def nan_order(
    x: wp.array(dtype=wp.float32),
    y: wp.array(dtype=wp.float32),
    low: wp.array(dtype=wp.float32),
    high: wp.array(dtype=wp.float32),
    clamped: wp.array(dtype=wp.float32),
    double_: wp.array(dtype=wp.float64),
    folded: wp.array(dtype=wp.float32),
):
    """`min` and `max` prefer a number to NaN; `clamp` lets NaN through."""
    i = wp.tid()
    low[i] = wp.min(x[i], y[i])
    high[i] = wp.max(x[i], y[i])
    clamped[i] = clamp(x[i], -1.0, 1.0)
    double_[i] = (
        wp.min(wp.float64(x[i]), wp.float64(y[i])) + wp.max(wp.float64(x[i]), wp.float64(0.5))
    )
    most = float(0.0)
    for j in range(x.shape[0]):
        most = wp.max(most, x[j])
    folded[i] = most


import warp as wp


@wp.kernel
def narrow_float(
    x: wp.array(dtype=wp.float64),
    narrow: wp.array(dtype=wp.float32),
    scaled: wp.array(dtype=wp.float32),
    wide: wp.array(dtype=wp.float64),
):
    """From `f64` to `f32` and back, rounded once; a constant has the type of what surrounds it."""
    i = wp.tid()
    narrow[i] = float(x[i])
    scaled[i] = float(x[i]) * 0.1 + 0.7
    wide[i] = wp.float64(float(x[i])) * wp.float64(0.1) + wp.float64(0.7)


from typing import Any

import warp as wp


@wp.func
def rem_euclid(a: Any, b: Any):
    r = a % b
    if r < type(r)(0):
        return r + wp.abs(b)
    return r


@wp.kernel
def negative_index(shift: int, x: wp.array(dtype=wp.float32), out: wp.array(dtype=wp.float32)):
    """Negative numbers made into indices, after they have been brought into range."""
    i = wp.tid()
    n = x.shape[0]
    left = i - 2
    out[i] = x[rem_euclid(i + shift, n)] + x[wp.max(left, 0)]


import warp as wp


@wp.kernel
def not_finite(
    x: wp.array(dtype=wp.float32),
    least: wp.array(dtype=wp.float32),
    inverse: wp.array(dtype=wp.float32),
    root: wp.array(dtype=wp.int32),
):
    """Infinity and NaN as constants, and what division by zero gives."""
    i = wp.tid()
    smallest = float(wp.inf)
    largest = float(-wp.inf)
    for j in range(i):
        smallest = wp.min(smallest, x[j])
        largest = wp.max(largest, x[j])
    least[i] = 0.0 if i == 0 else smallest - largest
    zero = x[i] - x[i]
    limit = wp.nan if wp.isnan(zero) else 1.0 / zero
    inverse[i] = 1.0 if limit == wp.inf else 2.0
    root[i] = 1 if wp.isnan(wp.sqrt(x[i] - 9.0)) else 0


from typing import Any

import warp as wp


@wp.func
def wrapping_add(a: wp.int32, b: wp.int32):
    return wp.int32(wp.uint32(a) + wp.uint32(b))


@wp.func
def signum(x: Any):
    if wp.isnan(x):
        return x
    return wp.copysign(type(x)(1.0), x)


@wp.func
def rem_euclid(a: Any, b: Any):
    r = a % b
    if r < type(r)(0):
        return r + wp.abs(b)
    return r


@wp.func
def to_i32(x: Any):
    if wp.isnan(x):
        return 0
    if x <= type(x)(-2147483648.0):
        return -2147483648
    if x >= type(x)(2147483648.0):
        return 2147483647
    return int(x)


@wp.kernel
def printf(
    clamp: wp.array(dtype=wp.int32),
    to_i32_: wp.array(dtype=wp.float32),
    rem_euclid_: wp.array(dtype=wp.int32),
    signum_: wp.array(dtype=wp.float32),
):
    """A kernel that is called like a function of C, with names of the helpers that it calls."""
    i = wp.tid()
    wrapping_add_ = rem_euclid(wp.clamp(clamp[i], -3, 3), 5)
    max = wrapping_add(wrapping_add_, to_i32(to_i32_[i]))
    min = wp.min(wp.max(max, 2), 4)
    rem_euclid_[i] = min * 10 + max
    abs = signum(to_i32_[i])
    signum_[i] = wp.abs(abs) + abs


import warp as wp


@wp.kernel
def ranges_i32(
    first: wp.array(dtype=wp.int32),
    last: wp.array(dtype=wp.int32),
    step: int,
    digits: wp.array(dtype=wp.int32),
):
    """A range up and down, with and without its end, in steps."""
    i = wp.tid()
    a = first[i]
    b = last[i]
    for j in range(a, b):
        digits[i * 8] = digits[i * 8] * 10 + (j - -5)
    for trip in range(wp.max(b, a) - a + int(b >= a)):
        j = a + trip
        digits[i * 8 + 1] = digits[i * 8 + 1] * 10 + (j - -5)
    j = int(b)
    while j > a:
        j -= 1
        digits[i * 8 + 2] = digits[i * 8 + 2] * 10 + (j - -5)
    for trip_1 in range(wp.max(b, a) - a + int(b >= a)):
        j = b - trip_1
        digits[i * 8 + 3] = digits[i * 8 + 3] * 10 + (j - -5)
    for trip_2 in range(0, wp.max(b, a) - a, step):
        j = a + trip_2
        digits[i * 8 + 4] = digits[i * 8 + 4] * 10 + (j - -5)
    for trip_3 in range(0, wp.max(b, a) - a + int(b >= a), 2):
        j = a + trip_3
        digits[i * 8 + 5] = digits[i * 8 + 5] * 10 + (j - -5)
    for trip_4 in range(0, wp.max(b, a) - a, 2):
        j = b - 1 - trip_4
        digits[i * 8 + 6] = digits[i * 8 + 6] * 10 + (j - -5)
    for trip_5 in range(0, wp.max(b, a) - a + int(b >= a), step):
        j = b - trip_5
        digits[i * 8 + 7] = digits[i * 8 + 7] * 10 + (j - -5)


import warp as wp


@wp.kernel
def ranges_i64(
    first: wp.array(dtype=wp.int64),
    last: wp.array(dtype=wp.int64),
    step: int,
    digits: wp.array(dtype=wp.int32),
):
    """A range up and down, with and without its end, in steps."""
    i = wp.tid()
    a = first[i]
    b = last[i]
    for trip in range(int(wp.max(b, a) - a)):
        j = a + wp.int64(trip)
        digits[i * 8] = digits[i * 8] * 10 + int(j - wp.int64(-5))
    for trip_1 in range(int(wp.max(b, a) - a) + int(b >= a)):
        j = a + wp.int64(trip_1)
        digits[i * 8 + 1] = digits[i * 8 + 1] * 10 + int(j - wp.int64(-5))
    for trip_2 in range(int(wp.max(b, a) - a)):
        j = b - wp.int64(trip_2 + 1)
        digits[i * 8 + 2] = digits[i * 8 + 2] * 10 + int(j - wp.int64(-5))
    for trip_3 in range(int(wp.max(b, a) - a) + int(b >= a)):
        j = b - wp.int64(trip_3)
        digits[i * 8 + 3] = digits[i * 8 + 3] * 10 + int(j - wp.int64(-5))
    for trip_4 in range(0, int(wp.max(b, a) - a), step):
        j = a + wp.int64(trip_4)
        digits[i * 8 + 4] = digits[i * 8 + 4] * 10 + int(j - wp.int64(-5))
    for trip_5 in range(0, int(wp.max(b, a) - a) + int(b >= a), 2):
        j = a + wp.int64(trip_5)
        digits[i * 8 + 5] = digits[i * 8 + 5] * 10 + int(j - wp.int64(-5))
    for trip_6 in range(0, int(wp.max(b, a) - a), 2):
        j = b - wp.int64(trip_6 + 1)
        digits[i * 8 + 6] = digits[i * 8 + 6] * 10 + int(j - wp.int64(-5))
    for trip_7 in range(0, int(wp.max(b, a) - a) + int(b >= a), step):
        j = b - wp.int64(trip_7)
        digits[i * 8 + 7] = digits[i * 8 + 7] * 10 + int(j - wp.int64(-5))


import warp as wp


@wp.kernel
def ranges_u32(
    first: wp.array(dtype=wp.uint32),
    last: wp.array(dtype=wp.uint32),
    step: int,
    digits: wp.array(dtype=wp.int32),
):
    """A range up and down, with and without its end, in steps."""
    i = wp.tid()
    a = first[i]
    b = last[i]
    for trip in range(int(wp.max(b, a) - a)):
        j = a + wp.uint32(trip)
        digits[i * 8] = digits[i * 8] * 10 + int(j - wp.uint32(0))
    for trip_1 in range(int(wp.max(b, a) - a) + int(b >= a)):
        j = a + wp.uint32(trip_1)
        digits[i * 8 + 1] = digits[i * 8 + 1] * 10 + int(j - wp.uint32(0))
    for trip_2 in range(int(wp.max(b, a) - a)):
        j = b - wp.uint32(trip_2 + 1)
        digits[i * 8 + 2] = digits[i * 8 + 2] * 10 + int(j - wp.uint32(0))
    for trip_3 in range(int(wp.max(b, a) - a) + int(b >= a)):
        j = b - wp.uint32(trip_3)
        digits[i * 8 + 3] = digits[i * 8 + 3] * 10 + int(j - wp.uint32(0))
    for trip_4 in range(0, int(wp.max(b, a) - a), step):
        j = a + wp.uint32(trip_4)
        digits[i * 8 + 4] = digits[i * 8 + 4] * 10 + int(j - wp.uint32(0))
    for trip_5 in range(0, int(wp.max(b, a) - a) + int(b >= a), 2):
        j = a + wp.uint32(trip_5)
        digits[i * 8 + 5] = digits[i * 8 + 5] * 10 + int(j - wp.uint32(0))
    for trip_6 in range(0, int(wp.max(b, a) - a), 2):
        j = b - wp.uint32(trip_6 + 1)
        digits[i * 8 + 6] = digits[i * 8 + 6] * 10 + int(j - wp.uint32(0))
    for trip_7 in range(0, int(wp.max(b, a) - a) + int(b >= a), step):
        j = b - wp.uint32(trip_7)
        digits[i * 8 + 7] = digits[i * 8 + 7] * 10 + int(j - wp.uint32(0))


import warp as wp


@wp.kernel
def ranges_u64(
    first: wp.array(dtype=wp.uint64),
    last: wp.array(dtype=wp.uint64),
    step: int,
    digits: wp.array(dtype=wp.int32),
):
    """A range up and down, with and without its end, in steps."""
    i = wp.tid()
    a = first[i]
    b = last[i]
    for trip in range(int(wp.max(b, a) - a)):
        j = a + wp.uint64(trip)
        digits[i * 8] = digits[i * 8] * 10 + int(j - wp.uint64(0))
    for trip_1 in range(int(wp.max(b, a) - a) + int(b >= a)):
        j = a + wp.uint64(trip_1)
        digits[i * 8 + 1] = digits[i * 8 + 1] * 10 + int(j - wp.uint64(0))
    for trip_2 in range(int(wp.max(b, a) - a)):
        j = b - wp.uint64(trip_2 + 1)
        digits[i * 8 + 2] = digits[i * 8 + 2] * 10 + int(j - wp.uint64(0))
    for trip_3 in range(int(wp.max(b, a) - a) + int(b >= a)):
        j = b - wp.uint64(trip_3)
        digits[i * 8 + 3] = digits[i * 8 + 3] * 10 + int(j - wp.uint64(0))
    for trip_4 in range(0, int(wp.max(b, a) - a), step):
        j = a + wp.uint64(trip_4)
        digits[i * 8 + 4] = digits[i * 8 + 4] * 10 + int(j - wp.uint64(0))
    for trip_5 in range(0, int(wp.max(b, a) - a) + int(b >= a), 2):
        j = a + wp.uint64(trip_5)
        digits[i * 8 + 5] = digits[i * 8 + 5] * 10 + int(j - wp.uint64(0))
    for trip_6 in range(0, int(wp.max(b, a) - a), 2):
        j = b - wp.uint64(trip_6 + 1)
        digits[i * 8 + 6] = digits[i * 8 + 6] * 10 + int(j - wp.uint64(0))
    for trip_7 in range(0, int(wp.max(b, a) - a) + int(b >= a), step):
        j = b - wp.uint64(trip_7)
        digits[i * 8 + 7] = digits[i * 8 + 7] * 10 + int(j - wp.uint64(0))


import warp as wp


@wp.kernel
def reread_int(
    x: wp.array(dtype=wp.int32),
    u: wp.array(dtype=wp.uint32),
    unsigned_: wp.array(dtype=wp.uint32),
    signed_: wp.array(dtype=wp.int32),
    wide: wp.array(dtype=wp.int64),
    wide_unsigned: wp.array(dtype=wp.uint64),
):
    """Integers of 32 bits read as the other kind, and widened."""
    i = wp.tid()
    unsigned_[i] = wp.uint32(x[i])
    signed_[i] = int(u[i])
    wide[i] = wp.int64(x[i]) * wp.int64(2) - wp.int64(u[i])
    wide_unsigned[i] = wp.uint64(x[i]) ^ wp.uint64(u[i])


import warp as wp


@wp.kernel
def reread_ranges(
    first: wp.array(dtype=wp.int32),
    last: wp.array(dtype=wp.int32),
    count: wp.array(dtype=wp.int32),
):
    """Ranges of unsigned numbers that were negative."""
    i = wp.tid()
    start = wp.uint32(first[i])
    end = wp.uint32(last[i])
    for trip in range(int(wp.max(end, start) - start) + int(end >= start)):
        j = start + wp.uint32(trip)
        count[i] += 1 + int(j % wp.uint32(2)) * 10
    start_1 = wp.uint64(first[i])
    end_1 = wp.uint64(last[i])
    for trip_1 in range(int(wp.max(end_1, start_1) - start_1) + int(end_1 >= start_1)):
        j_1 = end_1 - wp.uint64(trip_1)
        count[i] += 100 + int(j_1 % wp.uint64(2)) * 1000


from typing import Any

import warp as wp


@wp.func
def as_index(x: Any):
    """An integer as an index. Rust makes a negative one huge; an index of Warp ends at 2147483647."""
    if x < type(x)(0) or x > type(x)(2147483647):
        return 2147483647
    return int(x)


@wp.kernel
def reused_loops(
    n: wp.array(dtype=wp.uint32),
    total: wp.array(dtype=wp.int32),
    j: wp.array(dtype=wp.float32),
):
    """Loops after loops over variables of one name and several types, and a local that is called like them afterwards."""
    i = wp.tid()
    sum = int(0)
    for k in range(int(n[i])):
        sum += k
    end = n[i]
    for trip in range(int(end)):
        k_1 = wp.uint32(trip)
        sum += int(k_1) * 10
    for k_2 in range(as_index(n[i])):
        for k_3 in range(k_2):
            sum += k_3 * 100
        sum += k_2 * 1000
    k_4 = float(sum) * 0.5
    j[i] = k_4
    sum_1 = sum + 1
    total[i] = sum_1


import warp as wp


@wp.kernel
def rounding(
    x: wp.array(dtype=wp.float32),
    round: wp.array(dtype=wp.float32),
    floor: wp.array(dtype=wp.float32),
    ceil: wp.array(dtype=wp.float32),
    trunc: wp.array(dtype=wp.float32),
    fract: wp.array(dtype=wp.float32),
    double_: wp.array(dtype=wp.float64),
):
    """Halves go away from zero; what is just below a half does not."""
    i = wp.tid()
    round[i] = wp.round(x[i])
    floor[i] = wp.floor(x[i])
    ceil[i] = wp.ceil(x[i])
    trunc[i] = wp.trunc(x[i])
    fract[i] = wp.frac(x[i])
    double_[i] = wp.round(wp.float64(x[i]))


import warp as wp


@wp.kernel
def shadowing(
    x: wp.array(dtype=wp.int32),
    scale: float,
    count: int,
    out: wp.array(dtype=wp.float32),
    left: wp.array(dtype=wp.int32),
):
    """A name that stands for one thing after the other, of the same and of other types."""
    i = wp.tid()
    scale_1 = scale
    count_1 = count
    x_1 = x[i]
    x_2 = x_1 + 1
    x_3 = float(x_2) * scale_1
    x_4 = x_3 > 4.0
    scale_2 = 10 if x_4 else 20
    y = scale_2 + 1
    for x_5 in range(y):
        y_1 = x_5 * 2
        count_1 += y_1 % 3
        count_2 = 7.5
        scale_1 += count_2
    if y > 15:
        x_6 = y
        count_1 -= x_6
    i_1 = float(i) + x_3
    out[i] = i_1 + scale_1
    left[i] = count_1


import warp as wp


@wp.kernel
def shifts(
    x: wp.array(dtype=wp.int32),
    n: wp.array(dtype=wp.int32),
    down: wp.array(dtype=wp.int32),
    up: wp.array(dtype=wp.int32),
    down_unsigned: wp.array(dtype=wp.uint32),
    long_: wp.array(dtype=wp.int64),
    in_place: wp.array(dtype=wp.int32),
):
    """The sign fills a signed number that moves down; a bit may move into the sign."""
    i = wp.tid()
    down[i] = x[i] >> n[i]
    up[i] = x[i] << n[i]
    down_unsigned[i] = wp.uint32(x[i]) >> wp.uint32(n[i])
    long_[i] = (wp.int64(x[i]) << wp.int64(31)) >> wp.int64(33)
    in_place[i] = x[i] ^ 1
    in_place[i] >>= 2
    in_place[i] <<= 3


import warp as wp


@wp.kernel
def signed_division(
    a: wp.array(dtype=wp.int32),
    b: wp.array(dtype=wp.int32),
    quotient: wp.array(dtype=wp.int32),
    remainder: wp.array(dtype=wp.int32),
    in_place: wp.array(dtype=wp.int32),
    constant: wp.array(dtype=wp.int32),
):
    """Quotients go towards zero, remainders have the sign of the dividend."""
    i = wp.tid()
    quotient[i] = a[i] / b[i]
    remainder[i] = a[i] % b[i]
    in_place[i] /= b[i]
    in_place[i] = in_place[i] * 100 + quotient[i] / 2
    in_place[i] %= 7
    constant[i] = -7 / 2 * 10 + -7 % 2 + a[i] / -4 + a[i] % -4


from typing import Any

import warp as wp


@wp.func
def neg(x: Any):
    # Warp's own `-x` is `0 - x`, which is never -0.
    return x * type(x)(-1.0)


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


@wp.kernel
def signs(
    x: wp.array(dtype=wp.float32),
    n: wp.array(dtype=wp.int32),
    sign: wp.array(dtype=wp.float32),
    copied: wp.array(dtype=wp.float32),
    negated: wp.array(dtype=wp.float32),
    absolute: wp.array(dtype=wp.float32),
    whole: wp.array(dtype=wp.int32),
):
    """Signs of zeros and of NaN."""
    i = wp.tid()
    sign[i] = signum(x[i])
    copied[i] = wp.copysign(3.0, x[i])
    negated[i] = neg(x[i])
    absolute[i] = wp.abs(neg(x[i])) + neg(wp.abs(x[i]))
    whole[i] = isignum(n[i]) * 10 + wp.abs(n[i])


from typing import Any

import warp as wp


@wp.func
def neg(x: Any):
    # Warp's own `-x` is `0 - x`, which is never -0.
    return x * type(x)(-1.0)


@wp.func
def signum(x: Any):
    if wp.isnan(x):
        return x
    return wp.copysign(type(x)(1.0), x)


@wp.kernel
def signum_(x: wp.array(dtype=wp.float32), out: wp.array(dtype=wp.float32)):
    """A kernel that calls a helper of its own name."""
    i = wp.tid()
    out[i] = neg(signum(x[i])) * 2.0


from typing import Any

import warp as wp


@wp.func
def as_index(x: Any):
    """An integer as an index. Rust makes a negative one huge; an index of Warp ends at 2147483647."""
    if x < type(x)(0) or x > type(x)(2147483647):
        return 2147483647
    return int(x)


@wp.kernel
def tickets(next: wp.array(dtype=wp.uint32), order: wp.array(dtype=wp.uint32)):
    """Every thread takes a ticket of its own."""
    i = wp.tid()
    ticket = wp.atomic_add(next, 0, wp.uint32(1))
    order[as_index(ticket)] += wp.uint32(1)
    if i % 2 == 0:
        wp.atomic_add(next, 0, wp.uint32(0))


import warp as wp


@wp.kernel
def unnamed_loops(k: int, n: wp.array(dtype=wp.uint32), out: wp.array(dtype=wp.int32)):
    """A loop whose bounds are constants and whose variable is not named; Warp writes its body out."""
    i = wp.tid()
    total = k
    for _ in range(3):
        for _ in range(2):
            inner = int(0)
            end = n[i]
            for _ in range(int(end)):
                inner += 1
            total = total * 2 + inner
    out[i] = total


from typing import Any

import warp as wp


@wp.func
def saturating_sub(a: wp.uint32, b: wp.uint32):
    return wp.max(a, b) - b


@wp.func
def index_saturating_sub(a: int, b: int):
    return wp.max(a, b) - b


@wp.func
def abs_diff(a: Any, b: Any):
    return wp.max(a, b) - wp.min(a, b)


@wp.func
def as_index(x: Any):
    """An integer as an index. Rust makes a negative one huge; an index of Warp ends at 2147483647."""
    if x < type(x)(0) or x > type(x)(2147483647):
        return 2147483647
    return int(x)


@wp.kernel
def unsigned_difference(
    a: wp.array(dtype=wp.uint32),
    b: wp.array(dtype=wp.uint32),
    difference: wp.array(dtype=wp.uint32),
    distance: wp.array(dtype=wp.uint32),
    below: wp.array(dtype=wp.int32),
):
    """Differences of unsigned numbers, where a test says that they exist."""
    i = wp.tid()
    difference[i] = a[i] - b[i] if a[i] >= b[i] else saturating_sub(a[i], b[i]) + wp.uint32(100)
    distance[i] = abs_diff(a[i], b[i])
    count = int(0)
    for j in range(index_saturating_sub(i, 1)):
        if i - j > 2 and i - j - 2 < as_index(a[i]):
            count += 1
    below[i] = count


from typing import Any

import warp as wp


@wp.func
def as_index(x: Any):
    """An integer as an index. Rust makes a negative one huge; an index of Warp ends at 2147483647."""
    if x < type(x)(0) or x > type(x)(2147483647):
        return 2147483647
    return int(x)


@wp.kernel
def while_on_data(next: wp.array(dtype=wp.uint32), length: wp.array(dtype=wp.uint32)):
    """A list is followed until it does not go up any more."""
    i = wp.tid()
    at = i
    steps = wp.uint32(0)
    while as_index(next[at]) > at:
        at = as_index(next[at])
        steps += wp.uint32(1)
    length[i] = steps


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


@wp.kernel
def wrapping(
    a: wp.array(dtype=wp.int32),
    b: wp.array(dtype=wp.int32),
    sum: wp.array(dtype=wp.int32),
    difference: wp.array(dtype=wp.int32),
    product: wp.array(dtype=wp.int32),
    unsigned_: wp.array(dtype=wp.uint32),
    long_: wp.array(dtype=wp.int64),
):
    """Arithmetic modulo 2³² and 2⁶⁴."""
    i = wp.tid()
    sum[i] = wrapping_add(a[i], b[i])
    difference[i] = wrapping_sub(a[i], b[i])
    product[i] = wrapping_mul(a[i], b[i])
    unsigned_[i] = wp.uint32(a[i]) * wp.uint32(b[i]) - wp.uint32(1) + wp.uint32(2654435769)
    wide = wp.int64(a[i]) * wp.int64(4294967296)
    long_[i] = wrapping_add(
        wrapping_sub(wrapping_mul(wide, wp.int64(b[i]) * wp.int64(3)), wide),
        wp.int64(-9223372036854775808),
    )


from typing import Any

import warp as wp


@wp.func
def neg(x: Any):
    # Warp's own `-x` is `0 - x`, which is never -0.
    return x * type(x)(-1.0)


@wp.func
def inverse2(m: Any):
    det = wp.determinant(m)
    scale = type(det)(1.0) / det
    return type(m)(m[1, 1] * scale, m[0, 1] * neg(scale), m[1, 0] * neg(scale), m[0, 0] * scale)


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


@wp.kernel
def zeros_of_inverses(
    x: wp.array(dtype=wp.float32),
    four: wp.array(dtype=wp.mat44),
    two: wp.array(dtype=wp.mat22),
):
    """Cofactors that are zero get a sign, too."""
    i = wp.tid()
    four[i] = inverse4(wp.diag(wp.vec4(x[i])))
    two[i] = inverse2(wp.diag(wp.vec2(x[i])))
