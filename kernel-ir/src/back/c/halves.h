// Floats of 16 bits for the host, with the names of CUDA. These are sections of the host's prelude, without placeholders:
// so they are also what replaces CUDA's headers where a C++ compiler takes CUDA text.

//@ type(f16) as __half
// IEEE 754's binary16, by the name and with the conversions of CUDA.
struct __half {
    unsigned short bits;
};

//@ type(bf16) as __nv_bfloat16
// The upper half of a `float`, by the name and with the conversions of CUDA.
struct __nv_bfloat16 {
    unsigned short bits;
};

//@ widen(f16) as __half2float: type($0), <cstring>
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

//@ widen(bf16) as __bfloat162float: type($0), <cstring>
inline float __bfloat162float(__nv_bfloat16 x) {
    const unsigned int bits = (unsigned int)x.bits << 16;
    float result;
    std::memcpy(&result, &bits, sizeof result);
    return result;
}

//@ round(f16) as __float2half_rn: type($0), <cstring>
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

//@ round(bf16) as __float2bfloat16_rn: type($0), <cstring>
// The nearest `__nv_bfloat16`; of two, the even one.
inline __nv_bfloat16 __float2bfloat16_rn(float x) {
    unsigned int bits;
    std::memcpy(&bits, &x, sizeof bits);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return {0x7fff};  // NaN
    return {(unsigned short)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16)};
}
