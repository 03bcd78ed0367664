import warp as wp


@wp.kernel
def running_extremes(
    readings: wp.array(dtype=wp.int32),
    highest: wp.array(dtype=wp.int32),
    lowest: wp.array(dtype=wp.int32),
):
    """Largest and smallest of all readings, in one element each that holds the extreme so far."""
    i = wp.tid()
    wp.atomic_max(highest, 0, readings[i])
    wp.atomic_min(lowest, 0, readings[i])
