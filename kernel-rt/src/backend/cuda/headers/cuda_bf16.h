// What emitted texts use of CUDA's header of this name. The machine with the GPU may have NVRTC without headers.
#pragma once

struct __nv_bfloat16 {
    unsigned short bits;
};

static __device__ __forceinline__ float __bfloat162float(__nv_bfloat16 x) {
    return __uint_as_float((unsigned int)x.bits << 16);
}

static __device__ __forceinline__ __nv_bfloat16 __float2bfloat16_rn(float x) {
    __nv_bfloat16 result;
#if __CUDA_ARCH__ >= 800
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(result.bits) : "f"(x));
#else
    // To the nearest number, and to the even one of two.
    const unsigned int bits = __float_as_uint(x);
    result.bits = x != x ? 0x7fff : (unsigned short)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
#endif
    return result;
}

static __device__ __forceinline__ unsigned short __bfloat16_as_ushort(__nv_bfloat16 x) { return x.bits; }
static __device__ __forceinline__ __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) { return {bits}; }
static __device__ __forceinline__ bool operator!=(__nv_bfloat16 a, __nv_bfloat16 b) {
    return __bfloat162float(a) != __bfloat162float(b);
}
