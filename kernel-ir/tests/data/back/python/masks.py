import warp as wp


@wp.kernel
def k(
    fixed: bool,
    x: wp.array(dtype=wp.float32),
    mask: wp.array(dtype=wp.bool),
    grid: wp.array2d(dtype=wp.bool),
    out: wp.array(dtype=wp.uint32),
):
    i = wp.tid()
    mask[i] = x[i] > 0.0 or fixed
    mask[i] = mask[i] and not grid[i, 0]
    mask[i] = mask[i] != True
    grid[i, 1] = mask[i] == grid[i, 0]
    kept = grid[i, 1]
    grid[i, 0] = False
    if mask[i] and kept:
        out[i] = wp.uint32(mask[i]) + wp.uint32(1)
