//- a product of matrices in tiles
using index_t = unsigned int;

extern "C" void matmul(
    const float* __restrict__ a,
    index_t a_shape1,
    const float* __restrict__ b,
    index_t b_shape1,
    float* c,
    index_t c_shape0,
    index_t c_shape1,
    index_t dim
) {
    for (index_t i_1 = 0; i_1 < dim; ++i_1) {
        const index_t bi = i_1 / 4;
        const index_t bj = i_1 % 4;
        float sums[256] = {};
        for (index_t t = 0; t < 64; ++t) {
            for (index_t r = 0; r < 4; ++r) {
                sums[r * 64 + t] = 0.0f;
            }
        }
        for (index_t k = 0; k < 3; ++k) {
            float x[256] = {};
            for (index_t t = 0; t < 64; ++t) {
                for (index_t r = 0; r < 4; ++r) {
                    const index_t i = (r * 64 + t) / 16;
                    const index_t j = (r * 64 + t) % 16;
                    x[r * 64 + t] = a[(bi * 16 + i) * a_shape1 + (k * 16 + j)];
                }
            }
            float y[256] = {};
            for (index_t t = 0; t < 64; ++t) {
                for (index_t r = 0; r < 4; ++r) {
                    const index_t i = (r * 64 + t) / 16;
                    const index_t j = (r * 64 + t) % 16;
                    y[r * 64 + t] = b[(k * 16 + i) * b_shape1 + (bj * 16 + j)];
                }
            }
            for (index_t t = 0; t < 64; ++t) {
                for (index_t r = 0; r < 4; ++r) {
                    const index_t i = (r * 64 + t) / 16;
                    const index_t j = (r * 64 + t) % 16;
                    float total = 0.0f;
                    for (index_t k_1 = 0; k_1 < 16; ++k_1) {
                        total += x[i * 16 + k_1] * y[k_1 * 16 + j];
                    }
                    sums[r * 64 + t] += total;
                }
            }
        }
        for (index_t t = 0; t < 64; ++t) {
            for (index_t r = 0; r < 4; ++r) {
                const index_t i = (r * 64 + t) / 16;
                const index_t j = (r * 64 + t) % 16;
                if (bi * 16 + i < c_shape0 && bj * 16 + j < c_shape1) {
                    c[(bi * 16 + i) * c_shape1 + (bj * 16 + j)] = sums[r * 64 + t];
                }
            }
        }
    }
}

//- all elements are added in halves, and fewer than threads
using index_t = unsigned int;

extern "C" void total(const float* __restrict__ x, float* y, float* z, index_t z_len, index_t dim) {
    for (index_t i = 0; i < dim; ++i) {
        float row[32] = {};
        for (index_t t = 0; t < 32; ++t) {
            if (t < 24) {
                row[t] = x[i * 24 + t];
            }
        }
        float totals[24] = {};
        for (index_t t = 0; t < 32; ++t) {
            if (t < 24) {
                totals[t] = row[t] * row[t];
            }
        }
        index_t half = 16;
        while (half > 0) {
            for (index_t t = 0; t < 32; ++t) {
                if (t < 16) {
                    if (t < half && t + half < 24) {
                        totals[t] = totals[t] + totals[t + half];
                    }
                }
            }
            half = half / 2;
        }
        const float total_1 = totals[0];
        y[i] = total_1;
        for (index_t t = 0; t < 32; ++t) {
            if (t < 24) {
                if (i * 24 + t < z_len) {
                    z[i * 24 + t] = row[t] / y[i];
                }
            }
        }
    }
}
