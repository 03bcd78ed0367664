import warp as wp


@wp.kernel
def pendulum(
    k: float,
    steps: int,
    start: wp.array(dtype=wp.float32),
    end: wp.array(dtype=wp.float32),
):
    """Symplectic Euler steps of a pendulum: v' = −k·sin(p), p' = v."""
    i = wp.tid()
    p = start[i]
    v = float(0.0)
    for _ in range(steps):
        v -= 0.01 * k * wp.sin(p)
        p += 0.01 * v
    end[i] = p
