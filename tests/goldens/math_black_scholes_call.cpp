#include <cmath>

using index_t = unsigned int;

/// Black-Scholes price of European calls: S·N(d₁) − K·e^(−rT)·N(d₂), with Abramowitz and Stegun's 26.2.17 for the
/// normal distribution N. Spot and strike in one currency, rate and volatility per year, expiry in years.
extern "C" void black_scholes_call(
    float rate,
    float volatility,
    const float* __restrict__ spot,
    const float* __restrict__ strike,
    const float* __restrict__ expiry,
    float* __restrict__ price,
    index_t dim
) {
    for (index_t i = 0; i < dim; ++i) {
        const float deviation = volatility * sqrtf(expiry[i]);
        const float drift = (rate + 0.5f * volatility * volatility) * expiry[i];
        const float d1 = (logf(spot[i] / strike[i]) + drift) / deviation;
        const float d2 = d1 - deviation;
        const float t1 = 1.0f / (1.0f + 0.2316419f * fabsf(d1));
        const float series1 =
            t1 * (0.31938154f + t1 * (-0.35656378f + t1 * (1.7814779f + t1 * (-1.821256f + t1 * 1.3302745f))));
        const float tail1 = 0.3989423f * expf(-0.5f * d1 * d1) * series1;
        const float normal1 = d1 < 0.0f ? tail1 : 1.0f - tail1;
        const float t2 = 1.0f / (1.0f + 0.2316419f * fabsf(d2));
        const float series2 =
            t2 * (0.31938154f + t2 * (-0.35656378f + t2 * (1.7814779f + t2 * (-1.821256f + t2 * 1.3302745f))));
        const float tail2 = 0.3989423f * expf(-0.5f * d2 * d2) * series2;
        const float normal2 = d2 < 0.0f ? tail2 : 1.0f - tail2;
        price[i] = spot[i] * normal1 - strike[i] * expf(-rate * expiry[i]) * normal2;
    }
}
