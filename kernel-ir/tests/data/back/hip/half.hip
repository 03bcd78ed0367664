#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

using index_t = unsigned int;

// The upper half of a `float`. HIP's own type differs between its versions.
struct bfloat16 {
    unsigned short bits;
};

// The nearest `bfloat16`; of two, the even one.
__device__ inline bfloat16 float_to_bfloat16(float x) {
    const unsigned int bits = __float_as_uint(x);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return {0x7fff};  // NaN
    return {(unsigned short)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16)};
}

__device__ inline bool is_finite(float x) { return x - x == 0; }

#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fc00000)
#endif

__device__ inline float bfloat16_to_float(bfloat16 x) { return __uint_as_float((unsigned int)x.bits << 16); }

/// Adds, and rounds the sum once. HIP exchanges words of 32 bits, of which the number is a half. Returns the value from
/// before.
__device__ inline bfloat16 atomic_add(bfloat16* p, bfloat16 v) {
    unsigned int* word = (unsigned int*)((unsigned long long)p & ~3ULL);
    const unsigned int shift = ((unsigned long long)p & 2) * 8;
    unsigned int old = *word, seen;
    do {
        seen = old;
        const bfloat16 value = {(unsigned short)(seen >> shift)};
        const bfloat16 sum = float_to_bfloat16(bfloat16_to_float(value) + bfloat16_to_float(v));
        old = atomicCAS(word, seen, (seen & ~(0xffffu << shift)) | (unsigned int)sum.bits << shift);
    } while (old != seen);
    return {(unsigned short)(seen >> shift)};
}

__device__ inline bfloat16 atomic_sub(bfloat16* p, bfloat16 v) {
    return atomic_add(p, float_to_bfloat16(-bfloat16_to_float(v)));
}

// The adjoint `g` times a derivative; nothing comes of an adjoint that is zero, whatever the derivative is.
__device__ inline float strong_mul(float g, float d) { return g == 0 ? 0 : g * d; }

extern "C" __global__ void half_(
    __half a,
    const __half* __restrict__ x,
    __half* __restrict__ y,
    bfloat16* __restrict__ z,
    bfloat16* __restrict__ sums,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        const __half h = x[i];
        const float wide = __half2float(h);
        y[i] = __float2half_rn(__half2float(y[i]) + __half2float(__float2half_rn(__half2float(a) * __half2float(h))));
        y[i] = __float2half_rn(
            __half2float(__float2half_rn(__half2float(y[i]) - 0.5f)) / __half2float(__float2half_rn(-__half2float(h)))
        );
        z[i] = float_to_bfloat16(wide * 2.0f);
        if (__half2float(h) < __half2float(a) && is_finite(__half2float(h))) {
            z[i] = float_to_bfloat16(INFINITY);
        }
        __half local[2] = {};
        local[1] = __half2float(a) == 0.0f ? h : __float2half_rn(1.0f);
        y[i] = __float2half_rn(__half2float(y[i]) - __half2float(local[1]));
        atomic_add(&sums[0], z[i]);
        atomic_sub(&sums[1], float_to_bfloat16(strong_mul(bfloat16_to_float(z[i]), 3.0f)));
    }
}
