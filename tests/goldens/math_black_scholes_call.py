from typing import Any

import warp as wp


@wp.func
def neg(x: Any):
    # Warp's own `-x` is `0 - x`, which is never -0.
    return x * type(x)(-1.0)


@wp.kernel
def black_scholes_call(
    rate: float,
    volatility: float,
    spot: wp.array(dtype=wp.float32),
    strike: wp.array(dtype=wp.float32),
    expiry: wp.array(dtype=wp.float32),
    price: wp.array(dtype=wp.float32),
):
    """Black-Scholes price of European calls: S·N(d₁) − K·e^(−rT)·N(d₂), with Abramowitz and Stegun's 26.2.17 for the
    normal distribution N. Spot and strike in one currency, rate and volatility per year, expiry in years.
    """
    i = wp.tid()
    deviation = volatility * wp.sqrt(expiry[i])
    drift = (rate + 0.5 * volatility * volatility) * expiry[i]
    d1 = (wp.log(spot[i] / strike[i]) + drift) / deviation
    d2 = d1 - deviation
    t1 = 1.0 / (1.0 + 0.2316419 * wp.abs(d1))
    series1 = (
        t1
        * (0.31938154 + t1 * (-0.35656378 + t1 * (1.7814779 + t1 * (-1.821256 + t1 * 1.3302745))))
    )
    tail1 = 0.3989423 * wp.exp(-0.5 * d1 * d1) * series1
    normal1 = tail1 if d1 < 0.0 else 1.0 - tail1
    t2 = 1.0 / (1.0 + 0.2316419 * wp.abs(d2))
    series2 = (
        t2
        * (0.31938154 + t2 * (-0.35656378 + t2 * (1.7814779 + t2 * (-1.821256 + t2 * 1.3302745))))
    )
    tail2 = 0.3989423 * wp.exp(-0.5 * d2 * d2) * series2
    normal2 = tail2 if d2 < 0.0 else 1.0 - tail2
    price[i] = spot[i] * normal1 - strike[i] * wp.exp(neg(rate) * expiry[i]) * normal2
