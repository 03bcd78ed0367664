// The prelude of the HIP dialect: what HIP has in another way than CUDA, whose sections follow. `prelude.rs` explains the
// notation.

//@ type(f16) as __half: <hip/hip_fp16.h>

//@ type(bf16) as bfloat16
// The upper half of a `float`. HIP's own type differs between its versions.
struct bfloat16 {
    unsigned short bits;
};

//@ widen(bf16) as bfloat16_to_float: type($0)
$fn float $name(bfloat16 x) { return __uint_as_float((unsigned int)x.bits << 16); }

//@ round(bf16) as float_to_bfloat16: type($0)
// The nearest `bfloat16`; of two, the even one.
$fn bfloat16 $name(float x) {
    const unsigned int bits = __float_as_uint(x);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return {0x7fff};  // NaN
    return {(unsigned short)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16)};
}

//@ powi(float, i32) as integer_power
// By squaring. HIP has a function `powi` of its own, which rounds otherwise.
$fn $T integer_power($T base, int exponent) {
    $T result = 1;
    for (int n = exponent; n != 0; n /= 2) {
        if (n % 2 != 0) result *= base;
        base *= base;
    }
    return exponent < 0 ? 1 / result : result;
}

//@ atomic_add(f16): widen($0), round($0)
/// Adds, and rounds the sum once. HIP exchanges words of 32 bits, of which the number is a half. Returns the value from
/// before.
$fn __half atomic_add(__half* p, __half v) {
    unsigned int* word = (unsigned int*)((unsigned long long)p & ~3ULL);
    const unsigned int shift = ((unsigned long long)p & 2) * 8;
    unsigned int old = *word, seen;
    do {
        seen = old;
        const __half sum = __float2half_rn(__half2float(__ushort_as_half(seen >> shift & 0xffffu)) + __half2float(v));
        old = atomicCAS(word, seen, (seen & ~(0xffffu << shift)) | (unsigned int)__half_as_ushort(sum) << shift);
    } while (old != seen);
    return __ushort_as_half(seen >> shift & 0xffffu);
}

//@ atomic_add(bf16): widen($0), round($0)
/// Adds, and rounds the sum once. HIP exchanges words of 32 bits, of which the number is a half. Returns the value from
/// before.
$fn bfloat16 atomic_add(bfloat16* p, bfloat16 v) {
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

//@ atomic_sub(bf16): atomic_add($0)
$fn bfloat16 atomic_sub(bfloat16* p, bfloat16 v) {
    return atomic_add(p, float_to_bfloat16(-bfloat16_to_float(v)));
}

//@ atomic_min(i64)
$fn long long atomic_min(long long* p, long long v) {
    unsigned long long old = *(unsigned long long*)p, seen;
    do {
        seen = old;
        old = atomicCAS((unsigned long long*)p, seen, (unsigned long long)min((long long)seen, v));
    } while (old != seen);
    return (long long)old;
}

//@ atomic_max(i64)
$fn long long atomic_max(long long* p, long long v) {
    unsigned long long old = *(unsigned long long*)p, seen;
    do {
        seen = old;
        old = atomicCAS((unsigned long long*)p, seen, (unsigned long long)max((long long)seen, v));
    } while (old != seen);
    return (long long)old;
}

//@ trap(bool) as __builtin_trap
