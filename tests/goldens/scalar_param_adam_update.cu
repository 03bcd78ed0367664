using index_t = unsigned int;

/// One update of the Adam optimiser: m = β₁m + (1 − β₁)g, v = β₂v + (1 − β₂)g², w −= rate·m/(√v + 10⁻⁸). The bias
/// correction √(1 − β₂ᵗ)/(1 − β₁ᵗ) is part of `rate`.
extern "C" __global__ void adam_update(
    float rate,
    float beta1,
    float beta2,
    const float* __restrict__ gradient,
    float* __restrict__ momentum,
    float* __restrict__ velocity,
    float* __restrict__ weight,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        const float g = gradient[i];
        const float m = beta1 * momentum[i] + (1.0f - beta1) * g;
        const float v = beta2 * velocity[i] + (1.0f - beta2) * g * g;
        momentum[i] = m;
        velocity[i] = v;
        weight[i] -= rate * m / (sqrtf(v) + 1e-8f);
    }
}
