using index_t = unsigned int;

extern "C" __global__ void __launch_bounds__(8) k(
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
    for (index_t i_1 = blockIdx.x; i_1 < dim; i_1 += gridDim.x) {
        __shared__ float rows[24];
        {
            const index_t t = threadIdx.x;
            for (index_t r = 0; r < 3; ++r) {
                const index_t i = (r * 8 + t) / 8;
                const index_t j = (r * 8 + t) % 8;
                rows[r * 8 + t] = x[(i_1 * 3 + i) * x_shape1 + j];
            }
        }
        __syncthreads();
        float wide[3] = {};
        {
            const index_t t = threadIdx.x;
            for (index_t r = 0; r < 3; ++r) {
                wide[r] = rows[r * 8 + t];
            }
        }
        __syncthreads();
        {
            const index_t t = threadIdx.x;
            for (index_t r = 0; r < 3; ++r) {
                const index_t i = (r * 8 + t) / 12;
                const index_t j = (r * 8 + t) % 12;
                if (i_1 * 2 + i < y_shape0 && j < y_shape1) {
                    y[(i_1 * 2 + i) * y_shape1 + j] = expf(wide[r]);
                }
            }
        }
        __syncthreads();
        __shared__ float result[3];
        {
            const index_t t = threadIdx.x;
            if (t < 3) {
                float total = rows[t * 8];
                for (index_t k_1 = 1; k_1 < 8; ++k_1) {
                    total = fmaxf(total, rows[t * 8 + k_1]);
                }
                result[t] = total;
            }
        }
        __syncthreads();
        unsigned int result_1 = {};
        {
            const index_t t = threadIdx.x;
            if (t < 3) {
                unsigned int total = rows[t * 8] == result[t] ? (unsigned int)0 : 8u;
                for (index_t k_1 = 1; k_1 < 8; ++k_1) {
                    total = min(total, rows[t * 8 + k_1] == result[t] ? (unsigned int)k_1 : 8u);
                }
                result_1 = total;
            }
        }
        __syncthreads();
        {
            const index_t t = threadIdx.x;
            if (t < 3) {
                if (i_1 * 3 + t < best_len) {
                    best[i_1 * 3 + t] = result_1 % 8u;
                }
            }
        }
        __syncthreads();
        int counts[2] = {};
        {
            const index_t t = threadIdx.x;
            for (index_t r = 0; r < 2; ++r) {
                if (r * 8 + t < 12) {
                    counts[r] = n[i_1 * 12 + (r * 8 + t)];
                }
            }
        }
        __shared__ int sums[12];
        {
            const index_t t = threadIdx.x;
            for (index_t r = 0; r < 2; ++r) {
                if (r * 8 + t < 12) {
                    sums[r * 8 + t] = counts[r];
                }
            }
        }
        __syncthreads();
        int next[2] = {};
        index_t step = 1;
        while (step < 12) {
            {
                const index_t t = threadIdx.x;
                for (index_t r = 0; r < 2; ++r) {
                    if (r * 8 + t < 12) {
                        next[r] = sums[r * 8 + t];
                        if (r * 8 + t >= step) {
                            next[r] += sums[r * 8 + t - step];
                        }
                    }
                }
            }
            __syncthreads();
            {
                const index_t t = threadIdx.x;
                for (index_t r = 0; r < 2; ++r) {
                    if (r * 8 + t < 12) {
                        sums[r * 8 + t] = next[r];
                    }
                }
            }
            __syncthreads();
            step = step * 2;
        }
        {
            const index_t t = threadIdx.x;
            for (index_t r = 0; r < 2; ++r) {
                if (r * 8 + t < 12) {
                    next[r] = 0;
                    if (r * 8 + t >= 1) {
                        next[r] = sums[r * 8 + t - 1];
                    }
                }
            }
        }
        __syncthreads();
        __shared__ int sums_1[12];
        {
            const index_t t = threadIdx.x;
            for (index_t r = 0; r < 2; ++r) {
                if (r * 8 + t < 12) {
                    sums_1[r * 8 + t] = counts[r] * 2;
                }
            }
        }
        __syncthreads();
        int next_1[2] = {};
        index_t step_1 = 1;
        while (step_1 < 12) {
            {
                const index_t t = threadIdx.x;
                for (index_t r = 0; r < 2; ++r) {
                    if (r * 8 + t < 12) {
                        next_1[r] = sums_1[r * 8 + t];
                        if (r * 8 + t >= step_1) {
                            next_1[r] += sums_1[r * 8 + t - step_1];
                        }
                    }
                }
            }
            __syncthreads();
            {
                const index_t t = threadIdx.x;
                for (index_t r = 0; r < 2; ++r) {
                    if (r * 8 + t < 12) {
                        sums_1[r * 8 + t] = next_1[r];
                    }
                }
            }
            __syncthreads();
            step_1 = step_1 * 2;
        }
        {
            const index_t t = threadIdx.x;
            for (index_t r = 0; r < 2; ++r) {
                if (r * 8 + t < 12) {
                    if (i_1 * 12 + (r * 8 + t) < offsets_len) {
                        offsets[i_1 * 12 + (r * 8 + t)] = next[r] + sums_1[r * 8 + t];
                    }
                }
            }
        }
        __syncthreads();
        int one = {};
        {
            const index_t t = threadIdx.x;
            if (t < 1) {
                one = n[i_1 * 12 + t];
            }
        }
        {
            const index_t t = threadIdx.x;
            if (t < 1) {
                if (i_1 * 12 + t < offsets_len) {
                    offsets[i_1 * 12 + t] = one + 0;
                }
            }
        }
        __syncthreads();
        float values[3] = {};
        {
            const index_t t = threadIdx.x;
            for (index_t r = 0; r < 3; ++r) {
                values[r] = rows[r * 8 + t];
            }
        }
        __syncthreads();
        __shared__ float totals[24];
        {
            const index_t t = threadIdx.x;
            for (index_t r = 0; r < 3; ++r) {
                totals[r * 8 + t] = values[r];
            }
        }
        __syncthreads();
        index_t half = 16;
        while (half > 0) {
            {
                const index_t t = threadIdx.x;
                for (index_t r = 0; r < 2; ++r) {
                    if (r * 8 + t < half && r * 8 + t + half < 24) {
                        totals[r * 8 + t] = fminf(totals[r * 8 + t], totals[r * 8 + t + half]);
                    }
                }
            }
            __syncthreads();
            half = half / 2;
        }
        const float total = totals[0];
        __syncthreads();
        __shared__ unsigned int totals_1[24];
        {
            const index_t t = threadIdx.x;
            for (index_t r = 0; r < 3; ++r) {
                totals_1[r * 8 + t] = values[r] == total ? (unsigned int)(r * 8 + t) : 24u;
            }
        }
        __syncthreads();
        index_t half_1 = 16;
        while (half_1 > 0) {
            {
                const index_t t = threadIdx.x;
                for (index_t r = 0; r < 2; ++r) {
                    if (r * 8 + t < half_1 && r * 8 + t + half_1 < 24) {
                        totals_1[r * 8 + t] = min(totals_1[r * 8 + t], totals_1[r * 8 + t + half_1]);
                    }
                }
            }
            __syncthreads();
            half_1 = half_1 / 2;
        }
        const unsigned int total_1 = totals_1[0];
        __syncthreads();
        if (threadIdx.x == 0) {
            first[i_1] = total_1 % 24u;
        }
        __syncthreads();
    }
}
