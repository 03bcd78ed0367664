#include <cmath>
#include <cstring>

using index_t = unsigned int;

// IEEE 754's binary16, by the name and with the conversions of CUDA.
struct __half {
    unsigned short bits;
};

// The upper half of a `float`, by the name and with the conversions of CUDA.
struct __nv_bfloat16 {
    unsigned short bits;
};

inline float __half2float(__half x) {
    const unsigned int sign = (x.bits & 0x8000u) << 16, size = x.bits & 0x7fffu;
    // Below the normal numbers, the bits count the smallest number, 2^-24.
    const float subnormal = (float)size * 5.9604645e-8f;
    unsigned int bits = (size << 13) + (size < 0x7c00u ? 0x38000000u : 0x70000000u);
    if (size < 0x0400u) std::memcpy(&bits, &subnormal, sizeof bits);
    bits |= sign;
    float result;
    std::memcpy(&result, &bits, sizeof result);
    return result;
}

// The nearest `__half`; of two, the even one.
inline __half __float2half_rn(float x) {
    unsigned int bits;
    std::memcpy(&bits, &x, sizeof bits);
    const unsigned int sign = bits >> 16 & 0x8000u, size = bits & 0x7fffffffu;
    unsigned int half;
    if (size > 0x7f800000u) {
        return {0x7fff};  // NaN
    } else if (size >= 0x477ff000u) {
        half = 0x7c00u;  // 65520 and more round to infinity.
    } else if (size >= 0x38800000u) {
        half = (size - 0x38000000u + 0x0fffu + (size >> 13 & 1u)) >> 13;
    } else if (size >= 0x33000000u) {
        const unsigned int digits = (size & 0x7fffffu) | 0x800000u, shift = 126u - (size >> 23);
        half = (digits + (1u << (shift - 1u)) - 1u + (digits >> shift & 1u)) >> shift;
    } else {
        half = 0u;  // Less than half of the smallest number.
    }
    return {(unsigned short)(sign | half)};
}

// The nearest `__nv_bfloat16`; of two, the even one.
inline __nv_bfloat16 __float2bfloat16_rn(float x) {
    unsigned int bits;
    std::memcpy(&bits, &x, sizeof bits);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return {0x7fff};  // NaN
    return {(unsigned short)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16)};
}

inline bool is_finite(float x) { return x - x == 0; }

inline float __bfloat162float(__nv_bfloat16 x) {
    const unsigned int bits = (unsigned int)x.bits << 16;
    float result;
    std::memcpy(&result, &bits, sizeof result);
    return result;
}

// Threads run one after the other here: nothing comes between the read and the write.
inline __nv_bfloat16 atomic_add(__nv_bfloat16* p, __nv_bfloat16 v) {
    const __nv_bfloat16 old = *p;
    *p = __float2bfloat16_rn(__bfloat162float(old) + __bfloat162float(v));
    return old;
}

// Threads run one after the other here: nothing comes between the read and the write.
inline __nv_bfloat16 atomic_sub(__nv_bfloat16* p, __nv_bfloat16 v) {
    const __nv_bfloat16 old = *p;
    *p = __float2bfloat16_rn(__bfloat162float(old) - __bfloat162float(v));
    return old;
}

// The adjoint `g` times a derivative; nothing comes of an adjoint that is zero, whatever the derivative is.
inline float strong_mul(float g, float d) { return g == 0 ? 0 : g * d; }

extern "C" void half_(
    __half a,
    const __half* __restrict__ x,
    __half* __restrict__ y,
    __nv_bfloat16* __restrict__ z,
    __nv_bfloat16* __restrict__ sums,
    index_t dim
) {
    for (index_t i = 0; i < dim; ++i) {
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
