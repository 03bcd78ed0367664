import warp as wp


@wp.kernel
def log_sum_exp(cols: int, logits: wp.array2d(dtype=wp.float32), total: wp.array(dtype=wp.float32)):
    """ln Σ exp(x) of each row, shifted by the largest entry so that nothing overflows."""
    i = wp.tid()
    peak = logits[i, 0]
    for j in range(1, cols):
        peak = wp.max(peak, logits[i, j])
    sum = float(0.0)
    for j in range(cols):
        sum += wp.exp(logits[i, j] - peak)
    total[i] = peak + wp.log(sum)
