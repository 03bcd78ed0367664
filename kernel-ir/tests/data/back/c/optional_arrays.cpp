using index_t = unsigned int;

// Threads run one after the other here: nothing comes between the read and the write.
inline float atomic_add(float* p, float v) {
    const float old = *p;
    *p = old + v;
    return old;
}

extern "C" void k(
    const float* __restrict__ x,
    const unsigned int* __restrict__ mask,
    const float* __restrict__ grid,
    index_t grid_shape1,
    float* __restrict__ y,
    float* __restrict__ out,
    index_t out_len,
    float* __restrict__ loss,
    index_t dim
) {
    for (index_t i = 0; i < dim; ++i) {
        if (mask != nullptr && mask[i] != 0u) {
            continue;
        }
        const float w = grid != nullptr ? grid[i * grid_shape1 + 1] : 1.0f;
        const bool all = mask != nullptr && grid != nullptr;
        if (all == (out != nullptr)) {
            y[i] = w;
        }
        if (out == nullptr) {
            y[i] = x[i];
            continue;
        }
        out[i] = w * x[i] + (float)out_len;
        if (loss != nullptr) {
            atomic_add(&loss[0], x[i]);
        }
    }
}
