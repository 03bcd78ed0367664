import warp as wp


@wp.kernel
def first_above(
    samples: int,
    threshold: float,
    signal: wp.array2d(dtype=wp.float32),
    position: wp.array(dtype=wp.int32),
):
    """Position of the first sample of each row that exceeds the threshold, −1 if none does."""
    i = wp.tid()
    position[i] = -1
    for j in range(samples):
        if signal[i, j] > threshold:
            position[i] = j
            return
