//- phases of registers and of shared arrays
using index_t = unsigned int;

extern "C" __global__ void __launch_bounds__(64) sums(
    const float* __restrict__ x,
    float* sums_1,
    index_t dim
) {
    for (index_t i = blockIdx.x; i < dim; i += gridDim.x) {
        float acc = {};
        __shared__ float line[64];
        {
            const index_t t = threadIdx.x;
            acc = x[i * 64 + t];
        }
        {
            const index_t t = threadIdx.x;
            line[t] = acc;
        }
        __syncthreads();
        index_t half = 32;
        while (half > 0) {
            {
                const index_t t = threadIdx.x;
                if (t < half) {
                    line[t] += line[t + half];
                }
            }
            __syncthreads();
            half /= 2;
        }
        if (threadIdx.x == 0) {
            sums_1[i] = line[0];
        }
        __syncthreads();
    }
}

//- an array that begins with zeros, and what the whole block reads and writes
using index_t = unsigned int;

/// What one thread does.
static __device__ void k_thread(index_t n, float* y, unsigned int* c, index_t i) {
    __shared__ float near[40];
    for (index_t k = threadIdx.x; k < 40; k += blockDim.x) {
        near[k] = {};
    }
    __syncthreads();
    const float steady[2] = {1.0f, 2.0f};
    if (threadIdx.x == 0) {
        near[3] = y[i];
    }
    __syncthreads();
    {
        const index_t t = threadIdx.x;
        near[t + 1] += steady[t % 2];
    }
    __syncthreads();
    const float first = near[1];
    __syncthreads();
    const bool holds = near[2] > first;
    __syncthreads();
    if (holds) {
        if (threadIdx.x == 0) {
            y[i] = first;
        }
        __syncthreads();
    } else {
        {
            const index_t t = threadIdx.x;
            near[t] = 0.0f;
        }
        __syncthreads();
    }
    while (near[n] < first) {
        __syncthreads();
        {
            const index_t t = threadIdx.x;
            near[t] += 1.0f;
        }
        __syncthreads();
        const bool holds_1 = y[n] > 3.0f;
        __syncthreads();
        if (holds_1) {
            return;
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(&c[0], 1u);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        printf("%g\n", (double)first);
    }
    __syncthreads();
}

extern "C" __global__ void __launch_bounds__(32) k(
    index_t n,
    float* y,
    unsigned int* c,
    index_t dim
) {
    for (index_t i = blockIdx.x; i < dim; i += gridDim.x) {
        k_thread(n, y, c, i);
    }
}
