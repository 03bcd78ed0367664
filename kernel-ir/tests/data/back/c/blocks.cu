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

//- atomic operations on what the block shares
using index_t = unsigned int;

__device__ inline float atomic_max(float* p, float v) {
    int old = __float_as_int(*p), seen;
    do {
        seen = old;
        old = atomicCAS((int*)p, seen, __float_as_int(fmaxf(__int_as_float(seen), v)));
    } while (old != seen);
    return __int_as_float(old);
}

extern "C" __global__ void __launch_bounds__(64) k(
    const unsigned int* __restrict__ n,
    unsigned int* c,
    float* f,
    index_t dim
) {
    for (index_t i = blockIdx.x; i < dim; i += gridDim.x) {
        __shared__ unsigned int bins[8];
        for (index_t k = threadIdx.x; k < 8; k += blockDim.x) {
            bins[k] = {};
        }
        __syncthreads();
        __shared__ float own[64];
        for (index_t k_1 = threadIdx.x; k_1 < 64; k_1 += blockDim.x) {
            own[k_1] = {};
        }
        __syncthreads();
        {
            const index_t t = threadIdx.x;
            const unsigned int old = atomicAdd(&bins[(index_t)n[i * 64 + t]], 1u);
            atomic_max(&own[t], (float)old);
        }
        __syncthreads();
        {
            const index_t t = threadIdx.x;
            if (t < 8) {
                atomicAdd(&c[t], bins[t]);
            }
            f[i] = own[t];
        }
        __syncthreads();
    }
}
