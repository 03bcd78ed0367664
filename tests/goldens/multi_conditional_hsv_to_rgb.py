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
def hsv_to_rgb(hsv: wp.array(dtype=wp.vec3), rgb: wp.array(dtype=wp.vec3)):
    """Colour from hue, saturation and value (x, y, z, each 0 to 1) to red, green and blue."""
    i = wp.tid()
    scaled = hsv[i].x * 6.0
    sector = to_i32(scaled)
    along = scaled - float(sector)
    value = hsv[i].z
    low = value * (1.0 - hsv[i].y)
    falling = value * (1.0 - hsv[i].y * along)
    rising = value * (1.0 - hsv[i].y * (1.0 - along))
    rgb[i] = (
        wp.vec3(value, rising, low)
        if sector == 0
        else wp.vec3(falling, value, low)
        if sector == 1
        else wp.vec3(low, value, rising)
        if sector == 2
        else wp.vec3(low, falling, value)
        if sector == 3
        else wp.vec3(rising, low, value)
        if sector == 4
        else wp.vec3(value, low, falling)
    )
