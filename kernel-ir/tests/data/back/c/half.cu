#include <cuda_bf16.h>
#include <cuda_fp16.h>

using index_t = unsigned int;

__device__ inline bool is_finite(float x) { return x - x == 0; }

#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fc00000)
#endif

/// Adds, and rounds the sum once. Returns the value from before.
__device__ inline __nv_bfloat16 atomic_add(__nv_bfloat16* p, __nv_bfloat16 v) {
    unsigned short seen, old = *(unsigned short*)p;
    do {
        seen = old;
        const __nv_bfloat16 sum = __float2bfloat16_rn(__bfloat162float(__ushort_as_bfloat16(seen)) + __bfloat162float(v));
        old = atomicCAS((unsigned short*)p, seen, __bfloat16_as_ushort(sum));
    } while (old != seen);
    return __ushort_as_bfloat16(old);
}

__device__ inline __nv_bfloat16 atomic_sub(__nv_bfloat16* p, __nv_bfloat16 v) {
    return atomic_add(p, __float2bfloat16_rn(-__bfloat162float(v)));
}

// The adjoint `g` times a derivative; nothing comes of an adjoint that is zero, whatever the derivative is.
__device__ inline float strong_mul(float g, float d) { return g == 0 ? 0 : g * d; }

extern "C" __global__ void half_(
    __half a,
    const __half* __restrict__ x,
    __half* __restrict__ y,
    __nv_bfloat16* __restrict__ z,
    __nv_bfloat16* __restrict__ sums,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        const __half h = x[i];
        const float wide = __half2float(h);
        y[i] = __float2half_rn(__half2float(y[i]) + __half2float(__float2half_rn(__half2float(a) * __half2float(h))));
        y[i] = __float2half_rn(
            __half2float(__float2half_rn(__half2float(y[i]) - 0.5f)) / __half2float(__float2half_rn(-__half2float(h)))
        );
        z[i] = __float2bfloat16_rn(wide * 2.0f);
        if (__half2float(h) < __half2float(a) && is_finite(__half2float(h))) {
            z[i] = __float2bfloat16_rn(INFINITY);
        }
        __half local[2] = {};
        local[1] = __half2float(a) == 0.0f ? h : __float2half_rn(1.0f);
        y[i] = __float2half_rn(__half2float(y[i]) - __half2float(local[1]));
        atomic_add(&sums[0], z[i]);
        atomic_sub(&sums[1], __float2bfloat16_rn(strong_mul(__bfloat162float(z[i]), 3.0f)));
    }
}
