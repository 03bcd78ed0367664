//- a sum of a warp
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
                other = __shfl_sync(0xffffffffu, sums, (int)(t ^ step), 32);
            }
            {
                sums = sums + other;
            }
            step /= 2;
        }
        {
            const index_t t = threadIdx.x;
            y[i * 64 + t] = __shfl_xor_sync(0xffffffffu, sums, 1, 8);
        }
        __syncthreads();
    }
}

//- lanes that the threads name, and votes by lanes of two
using index_t = unsigned int;

extern "C" __global__ void __launch_bounds__(32) k(
    const double* __restrict__ x,
    double* y,
    unsigned int* bits,
    index_t dim
) {
    for (index_t i = blockIdx.x; i < dim; i += gridDim.x) {
        const index_t lane = 1;
        double v = {};
        {
            const index_t t = threadIdx.x;
            v = x[t];
        }
        index_t lane_1 = {};
        {
            lane_1 = lane;
        }
        double first = {};
        {
            first = __shfl_sync(0xffffffffu, v, (int)lane_1, 32);
        }
        bool is_large = {};
        {
            is_large = v > first;
        }
        unsigned int votes = {};
        {
            const index_t t = threadIdx.x;
            votes = is_large ? 1u << (unsigned int)(t % 32) : 0u;
        }
        index_t step = 32 / 2;
        while (step > 0) {
            unsigned int other = {};
            {
                const index_t t = threadIdx.x;
                other = __shfl_sync(0xffffffffu, votes, (int)(t ^ step), 32);
            }
            {
                votes = votes | other;
            }
            step /= 2;
        }
        bool any = {};
        {
            any = is_large;
        }
        index_t step_1 = 2 / 2;
        while (step_1 > 0) {
            bool other = {};
            {
                const index_t t = threadIdx.x;
                other = __shfl_sync(0xffffffffu, any, (int)(t ^ step_1), 2);
            }
            {
                any = any || other;
            }
            step_1 /= 2;
        }
        {
            const index_t t = threadIdx.x;
            y[t] = any ? first : 0.0;
            bits[t] = votes;
        }
        __syncthreads();
    }
}

//- groups of a block without whole warps, a lane in a branch, and a value that the whole block reads
using index_t = unsigned int;

extern "C" __global__ void __launch_bounds__(48) k(
    const float* __restrict__ x,
    float* y,
    index_t dim
) {
    for (index_t i = blockIdx.x; i < dim; i += gridDim.x) {
        __shared__ float a[48];
        {
            const index_t t = threadIdx.x;
            a[t] = x[i * 48 + t];
        }
        __syncthreads();
        {
            const index_t t = threadIdx.x;
            y[i * 48 + t] = a[t / 16 * 16 + (t ^ 1) % 16];
        }
        __syncthreads();
    }
}

//- a lane in a branch, another in each trip of a loop, and one of vectors
using index_t = unsigned int;

struct vec3 {
    float x, y, z;
};

extern "C" __global__ void __launch_bounds__(32) k(
    const vec3* __restrict__ x,
    float* y,
    index_t dim
) {
    for (index_t i_1 = blockIdx.x; i_1 < dim; i_1 += gridDim.x) {
        __shared__ float a[32];
        __shared__ vec3 b[32];
        __shared__ float c[32];
        {
            const index_t t = threadIdx.x;
            a[t] = x[i_1 * 32 + t].x;
            b[t] = x[i_1 * 32 + t];
            c[t] = x[i_1 * 32 + t].y;
        }
        __syncthreads();
        {
            const index_t t = threadIdx.x;
            float s = b[t / 32 * 32 + (t ^ 1) % 32].z;
            if (s > 0.0f) {
                s = a[t / 32 * 32 + (t ^ 1) % 32];
            }
            for (index_t i = 0; i < t; ++i) {
                s += c[t / 32 * 32 + i % 32];
            }
            y[i_1 * 32 + t] = s;
        }
        __syncthreads();
    }
}

//- lanes in the heads of loops, which threads evaluate differently often
using index_t = unsigned int;

extern "C" __global__ void __launch_bounds__(32) k(
    const unsigned int* __restrict__ x,
    unsigned int* y,
    index_t dim
) {
    for (index_t i_1 = blockIdx.x; i_1 < dim; i_1 += gridDim.x) {
        __shared__ unsigned int a[32];
        __shared__ unsigned int b[32];
        {
            const index_t t = threadIdx.x;
            a[t] = x[i_1 * 32 + t];
            b[t] = x[i_1 * 32 + t];
        }
        __syncthreads();
        {
            const index_t t = threadIdx.x;
            unsigned int s = 0u;
            while (s < a[t / 32 * 32 + (t ^ 1) % 32]) {
                s += 1u;
            }
            const unsigned int i_end = b[t / 32 * 32 + (t ^ 1) % 32];
            for (unsigned int i = 0u; i < i_end; ++i) {
                s += i;
            }
            y[i_1 * 32 + t] = s;
        }
        __syncthreads();
    }
}
