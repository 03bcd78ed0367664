using index_t = unsigned int;

/// What one thread does.
static void first_above_thread(
    float limit,
    const float* __restrict__ x,
    index_t x_shape1,
    unsigned int* __restrict__ out,
    index_t i
) {
    for (index_t k = 0; k < x_shape1; ++k) {
        if (x[i * x_shape1 + k] > limit) {
            out[i] = (unsigned int)k;
            return;
        }
    }
}

extern "C" void first_above(
    float limit,
    const float* __restrict__ x,
    index_t x_shape1,
    unsigned int* __restrict__ out,
    index_t dim
) {
    for (index_t i = 0; i < dim; ++i) {
        first_above_thread(limit, x, x_shape1, out, i);
    }
}
