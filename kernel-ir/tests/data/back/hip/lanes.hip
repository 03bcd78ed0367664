//- a sum of a warp
#include <hip/hip_runtime.h>

using index_t = unsigned int;

extern "C" __global__ void __launch_bounds__(64) k(
    const float* __restrict__ x,
    float* y,
    index_t dim
) {
    for (index_t i = blockIdx.x; i < dim; i += gridDim.x) {
        float v = {};
        {
            const index_t t = threadIdx.x;
            v = x[i * 64 + t];
        }
        float sums = {};
        {
            sums = v;
        }
        index_t step = 32 / 2;
        while (step > 0) {
            float other = {};
            {
                const index_t t = threadIdx.x;
                other = __shfl(sums, (int)(t ^ step), 32);
            }
            {
                sums = sums + other;
            }
            step /= 2;
        }
        {
            const index_t t = threadIdx.x;
            y[i * 64 + t] = sums;
        }
        __syncthreads();
    }
}
