from typing import Any

import warp as wp


@wp.func
def abs_diff(a: Any, b: Any):
    return wp.max(a, b) - wp.min(a, b)


@wp.func
def wrapping_mul(a: wp.int16, b: wp.int16):
    return a * b


@wp.kernel
def narrow(
    n: wp.uint8,
    a: wp.array(dtype=wp.int8),
    b: wp.array(dtype=wp.uint16),
    bytes: wp.array(dtype=wp.uint8),
    words: wp.array(dtype=wp.int16),
    words_2: wp.array(dtype=wp.uint16),
):
    i = wp.tid()
    bytes[i] = (n + wp.uint8(200)) >> wp.uint8(1)
    bytes[i] = n if n > wp.uint8(9) else wp.uint8(9)
    bytes[i] = wp.min(n, wp.uint8(5))
    bytes[i] += ~n
    words[i] = wrapping_mul(wp.int16(a[i]), wp.int16(-300))
    words[i] <<= wp.int16(2)
    words_2[i] = b[i] * wp.uint16(40503)
    words_2[i] = wp.clamp(abs_diff(b[i], wp.uint16(7)), wp.uint16(1), b[i] // wp.uint16(2))
    for count in range(int(n)):
        k = wp.uint8(count)
        bytes[int(k)] = wp.uint8(-a[i])
    for count_1 in range(100, -101, -3):
        k_1 = wp.int8(count_1)
        words[i] -= wp.int16(k_1)
    for count_2 in range(int(b[i]), 65536):
        k_2 = wp.uint16(count_2)
        words_2[i] ^= k_2
