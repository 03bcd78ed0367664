"""Functions on integers of 8 and 16 bits, as in `prelude.py`. Warp computes with these types as C does, in `int`, and
cuts the result off: sums, differences and products wrap around."""

from typing import Any

import warp as wp


@wp.func
def wrapping_add(a: wp.int8, b: wp.int8):
    return a + b


@wp.func
def wrapping_add(a: wp.int16, b: wp.int16):
    return a + b


@wp.func
def wrapping_sub(a: wp.int8, b: wp.int8):
    return a - b


@wp.func
def wrapping_sub(a: wp.int16, b: wp.int16):
    return a - b


@wp.func
def wrapping_mul(a: wp.int8, b: wp.int8):
    return a * b


@wp.func
def wrapping_mul(a: wp.int16, b: wp.int16):
    return a * b


@wp.func
def saturating_sub(a: wp.int8, b: wp.int8):
    return wp.int8(wp.clamp(int(a) - int(b), -128, 127))


@wp.func
def saturating_sub(a: wp.int16, b: wp.int16):
    return wp.int16(wp.clamp(int(a) - int(b), -32768, 32767))


@wp.func
def saturating_sub(a: wp.uint8, b: wp.uint8):
    return wp.max(a, b) - b


@wp.func
def saturating_sub(a: wp.uint16, b: wp.uint16):
    return wp.max(a, b) - b


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
