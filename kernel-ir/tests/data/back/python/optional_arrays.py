import warp as wp


@wp.kernel
def k(
    x: wp.array(dtype=wp.float32),
    mask: wp.array(dtype=wp.uint32),
    grid: wp.array2d(dtype=wp.float32),
    y: wp.array(dtype=wp.float32),
    out: wp.array(dtype=wp.float32),
    loss: wp.array(dtype=wp.float32),
):
    i = wp.tid()
    if mask and mask[i] != wp.uint32(0):
        return
    w = grid[i, 1] if grid else 1.0
    all = mask and grid
    if all == (not (not out)):
        y[i] = w
    if not out:
        y[i] = x[i]
        return
    out[i] = w * x[i] + float(out.shape[0])
    if loss:
        wp.atomic_add(loss, 0, x[i])
