import warp as wp


@wp.kernel
def adam_update(
    rate: float,
    beta1: float,
    beta2: float,
    gradient: wp.array(dtype=wp.float32),
    momentum: wp.array(dtype=wp.float32),
    velocity: wp.array(dtype=wp.float32),
    weight: wp.array(dtype=wp.float32),
):
    """One update of the Adam optimiser: m = β₁m + (1 − β₁)g, v = β₂v + (1 − β₂)g², w −= rate·m/(√v + 10⁻⁸). The bias
    correction √(1 − β₂ᵗ)/(1 − β₁ᵗ) is part of `rate`.
    """
    i = wp.tid()
    g = gradient[i]
    m = beta1 * momentum[i] + (1.0 - beta1) * g
    v = beta2 * velocity[i] + (1.0 - beta2) * g * g
    momentum[i] = m
    velocity[i] = v
    weight[i] -= rate * m / (wp.sqrt(v) + 1e-8)
