#include <cmath>

using index_t = unsigned int;

inline unsigned int min(unsigned int a, unsigned int b) { return a < b ? a : b; }

extern "C" void k(
    const float* __restrict__ x,
    index_t x_shape1,
    float* y,
    index_t y_shape0,
    index_t y_shape1,
    const int* __restrict__ n,
    int* offsets,
    index_t offsets_len,
    unsigned int* best,
    index_t best_len,
    unsigned int* first,
    index_t dim
) {
    for (index_t i_1 = 0; i_1 < dim; ++i_1) {
        float rows[24] = {};
        for (index_t t = 0; t < 8; ++t) {
            for (index_t r = 0; r < 3; ++r) {
                const index_t i = (r * 8 + t) / 8;
                const index_t j = (r * 8 + t) % 8;
                rows[r * 8 + t] = x[(i_1 * 3 + i) * x_shape1 + j];
            }
        }
        float wide[24] = {};
        for (index_t t = 0; t < 8; ++t) {
            for (index_t r = 0; r < 3; ++r) {
                wide[r * 8 + t] = rows[r * 8 + t];
            }
        }
        for (index_t t = 0; t < 8; ++t) {
            for (index_t r = 0; r < 3; ++r) {
                const index_t i = (r * 8 + t) / 12;
                const index_t j = (r * 8 + t) % 12;
                if (i_1 * 2 + i < y_shape0 && j < y_shape1) {
                    y[(i_1 * 2 + i) * y_shape1 + j] = expf(wide[r * 8 + t]);
                }
            }
        }
        float result[3] = {};
        for (index_t t = 0; t < 8; ++t) {
            if (t < 3) {
                float total = rows[t * 8];
                for (index_t k_1 = 1; k_1 < 8; ++k_1) {
                    total = fmaxf(total, rows[t * 8 + k_1]);
                }
                result[t] = total;
            }
        }
        unsigned int result_1[8] = {};
        for (index_t t = 0; t < 8; ++t) {
            if (t < 3) {
                unsigned int total = rows[t * 8] == result[t] ? (unsigned int)0 : 8u;
                for (index_t k_1 = 1; k_1 < 8; ++k_1) {
                    total = min(total, rows[t * 8 + k_1] == result[t] ? (unsigned int)k_1 : 8u);
                }
                result_1[t] = total;
            }
        }
        for (index_t t = 0; t < 8; ++t) {
            if (t < 3) {
                if (i_1 * 3 + t < best_len) {
                    best[i_1 * 3 + t] = result_1[t] % 8u;
                }
            }
        }
        int counts[16] = {};
        for (index_t t = 0; t < 8; ++t) {
            for (index_t r = 0; r < 2; ++r) {
                if (r * 8 + t < 12) {
                    counts[r * 8 + t] = n[i_1 * 12 + (r * 8 + t)];
                }
            }
        }
        int sums[12] = {};
        for (index_t t = 0; t < 8; ++t) {
            for (index_t r = 0; r < 2; ++r) {
                if (r * 8 + t < 12) {
                    sums[r * 8 + t] = counts[r * 8 + t];
                }
            }
        }
        int next[16] = {};
        index_t step = 1;
        while (step < 12) {
            for (index_t t = 0; t < 8; ++t) {
                for (index_t r = 0; r < 2; ++r) {
                    if (r * 8 + t < 12) {
                        next[r * 8 + t] = sums[r * 8 + t];
                        if (r * 8 + t >= step) {
                            next[r * 8 + t] += sums[r * 8 + t - step];
                        }
                    }
                }
            }
            for (index_t t = 0; t < 8; ++t) {
                for (index_t r = 0; r < 2; ++r) {
                    if (r * 8 + t < 12) {
                        sums[r * 8 + t] = next[r * 8 + t];
                    }
                }
            }
            step = step * 2;
        }
        for (index_t t = 0; t < 8; ++t) {
            for (index_t r = 0; r < 2; ++r) {
                if (r * 8 + t < 12) {
                    next[r * 8 + t] = 0;
                    if (r * 8 + t >= 1) {
                        next[r * 8 + t] = sums[r * 8 + t - 1];
                    }
                }
            }
        }
        int sums_1[12] = {};
        for (index_t t = 0; t < 8; ++t) {
            for (index_t r = 0; r < 2; ++r) {
                if (r * 8 + t < 12) {
                    sums_1[r * 8 + t] = counts[r * 8 + t] * 2;
                }
            }
        }
        int next_1[16] = {};
        index_t step_1 = 1;
        while (step_1 < 12) {
            for (index_t t = 0; t < 8; ++t) {
                for (index_t r = 0; r < 2; ++r) {
                    if (r * 8 + t < 12) {
                        next_1[r * 8 + t] = sums_1[r * 8 + t];
                        if (r * 8 + t >= step_1) {
                            next_1[r * 8 + t] += sums_1[r * 8 + t - step_1];
                        }
                    }
                }
            }
            for (index_t t = 0; t < 8; ++t) {
                for (index_t r = 0; r < 2; ++r) {
                    if (r * 8 + t < 12) {
                        sums_1[r * 8 + t] = next_1[r * 8 + t];
                    }
                }
            }
            step_1 = step_1 * 2;
        }
        for (index_t t = 0; t < 8; ++t) {
            for (index_t r = 0; r < 2; ++r) {
                if (r * 8 + t < 12) {
                    if (i_1 * 12 + (r * 8 + t) < offsets_len) {
                        offsets[i_1 * 12 + (r * 8 + t)] = next[r * 8 + t] + sums_1[r * 8 + t];
                    }
                }
            }
        }
        int one[8] = {};
        for (index_t t = 0; t < 8; ++t) {
            if (t < 1) {
                one[t] = n[i_1 * 12 + t];
            }
        }
        for (index_t t = 0; t < 8; ++t) {
            if (t < 1) {
                if (i_1 * 12 + t < offsets_len) {
                    offsets[i_1 * 12 + t] = one[t] + 0;
                }
            }
        }
        float values[24] = {};
        for (index_t t = 0; t < 8; ++t) {
            for (index_t r = 0; r < 3; ++r) {
                values[r * 8 + t] = rows[r * 8 + t];
            }
        }
        float totals[24] = {};
        for (index_t t = 0; t < 8; ++t) {
            for (index_t r = 0; r < 3; ++r) {
                totals[r * 8 + t] = values[r * 8 + t];
            }
        }
        index_t half = 16;
        while (half > 0) {
            for (index_t t = 0; t < 8; ++t) {
                for (index_t r = 0; r < 2; ++r) {
                    if (r * 8 + t < half && r * 8 + t + half < 24) {
                        totals[r * 8 + t] = fminf(totals[r * 8 + t], totals[r * 8 + t + half]);
                    }
                }
            }
            half = half / 2;
        }
        const float total = totals[0];
        unsigned int totals_1[24] = {};
        for (index_t t = 0; t < 8; ++t) {
            for (index_t r = 0; r < 3; ++r) {
                totals_1[r * 8 + t] = values[r * 8 + t] == total ? (unsigned int)(r * 8 + t) : 24u;
            }
        }
        index_t half_1 = 16;
        while (half_1 > 0) {
            for (index_t t = 0; t < 8; ++t) {
                for (index_t r = 0; r < 2; ++r) {
                    if (r * 8 + t < half_1 && r * 8 + t + half_1 < 24) {
                        totals_1[r * 8 + t] = min(totals_1[r * 8 + t], totals_1[r * 8 + t + half_1]);
                    }
                }
            }
            half_1 = half_1 / 2;
        }
        const unsigned int total_1 = totals_1[0];
        first[i_1] = total_1 % 24u;
    }
}
