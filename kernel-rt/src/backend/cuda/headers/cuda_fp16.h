// What emitted texts use of CUDA's header of this name. The machine with the GPU may have NVRTC without headers.
#pragma once

struct __half {
    unsigned short bits;
};

static __device__ __forceinline__ float __half2float(__half x) {
    float result;
    asm("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(x.bits));
    return result;
}

static __device__ __forceinline__ __half __float2half_rn(float x) {
    __half result;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(result.bits) : "f"(x));
    return result;
}

static __device__ __forceinline__ unsigned short __half_as_ushort(__half x) { return x.bits; }
static __device__ __forceinline__ __half __ushort_as_half(unsigned short bits) { return {bits}; }
static __device__ __forceinline__ bool operator!=(__half a, __half b) { return __half2float(a) != __half2float(b); }
