#include <cmath>

using index_t = unsigned int;

/// ln Σ exp(x) of each row, shifted by the largest entry so that nothing overflows.
extern "C" void log_sum_exp(
    index_t cols,
    const float* __restrict__ logits,
    index_t logits_shape1,
    float* __restrict__ total,
    index_t dim
) {
    for (index_t i = 0; i < dim; ++i) {
        float peak = logits[i * logits_shape1];
        for (index_t j = 1; j < cols; ++j) {
            peak = fmaxf(peak, logits[i * logits_shape1 + j]);
        }
        float sum = 0.0f;
        for (index_t j = 0; j < cols; ++j) {
            sum += expf(logits[i * logits_shape1 + j] - peak);
        }
        total[i] = peak + logf(sum);
    }
}
