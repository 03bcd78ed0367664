// More of CUDA's library than emitted texts use, for answers by other authors: vector types, intrinsics, atomics.

struct dim3 {
    unsigned int x, y, z;
    constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
};

#define WEFT_VECTORS(T, name) \
    struct name##1 { T x; }; \
    struct alignas(2 * sizeof(T)) name##2 { T x, y; }; \
    struct name##3 { T x, y, z; }; \
    struct alignas(sizeof(T) < 8 ? 4 * sizeof(T) : 16) name##4 { T x, y, z, w; }; \
    static inline name##2 make_##name##2(T x, T y) { return {x, y}; } \
    static inline name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; } \
    static inline name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
WEFT_VECTORS(int, int)
WEFT_VECTORS(float, float)
WEFT_VECTORS(double, double)
WEFT_VECTORS(long long, longlong)
WEFT_VECTORS(unsigned long long, ulonglong)
WEFT_VECTORS(unsigned char, uchar)
WEFT_VECTORS(unsigned short, ushort)
#undef WEFT_VECTORS
// `uint3` stands before this header.
struct uint1 { unsigned int x; };
struct alignas(8) uint2 { unsigned int x, y; };
struct alignas(16) uint4 { unsigned int x, y, z, w; };
static inline uint2 make_uint2(unsigned int x, unsigned int y) { return {x, y}; }
static inline uint3 make_uint3(unsigned int x, unsigned int y, unsigned int z) { return {x, y, z}; }
static inline uint4 make_uint4(unsigned int x, unsigned int y, unsigned int z, unsigned int w) { return {x, y, z, w}; }

// The fast versions of functions are as exact as the plain ones here. The C library declares functions of some of these
// names, so they are macros.
#define __sinf sinf
#define __cosf cosf
#define __tanf tanf
#define __expf expf
#define __exp10f exp10f
#define __logf logf
#define __log2f log2f
#define __log10f log10f
#define __powf powf
#define __sincosf sincosf
#define __fdividef fdividef
static inline float fdividef(float x, float y) { return x / y; }
static inline float __saturatef(float x) { return fminf(fmaxf(x, 0.0f), 1.0f); }
static inline float rcbrtf(float x) { return 1.0f / cbrtf(x); }
static inline double rcbrt(double x) { return 1.0 / cbrt(x); }
static inline float sinpif(float x) { return (float)sin(M_PI * (double)x); }
static inline float cospif(float x) { return (float)cos(M_PI * (double)x); }
static inline float norm3df(float x, float y, float z) { return sqrtf(x * x + y * y + z * z); }
static inline float rnorm3df(float x, float y, float z) { return 1.0f / norm3df(x, y, z); }
static inline double norm3d(double x, double y, double z) { return sqrt(x * x + y * y + z * z); }
static inline double rnorm3d(double x, double y, double z) { return 1.0 / norm3d(x, y, z); }
static inline float rhypotf(float x, float y) { return 1.0f / hypotf(x, y); }

// Roundings to nearest; the other directions would need another mode of the processor.
static inline float __fadd_rn(float a, float b) { return a + b; }
static inline float __fsub_rn(float a, float b) { return a - b; }
static inline float __fmul_rn(float a, float b) { return a * b; }
static inline float __fdiv_rn(float a, float b) { return a / b; }
static inline float __fsqrt_rn(float a) { return sqrtf(a); }
static inline float __frsqrt_rn(float a) { return 1.0f / sqrtf(a); }
static inline float __frcp_rn(float a) { return 1.0f / a; }
static inline double __dadd_rn(double a, double b) { return a + b; }
static inline double __dsub_rn(double a, double b) { return a - b; }
static inline double __dmul_rn(double a, double b) { return a * b; }
static inline double __ddiv_rn(double a, double b) { return a / b; }
static inline double __dsqrt_rn(double a) { return sqrt(a); }
static inline double __drcp_rn(double a) { return 1.0 / a; }

// Conversions of the device saturate, and NaN becomes 0.
template <class To, class From> To weft_saturated(From x, double low, double high, To least, To most) {
    if (!(x == x)) return 0;
    if ((double)x <= low) return least;
    if ((double)x >= high) return most;
    return (To)x;
}
#define WEFT_CONVERSIONS(name, From, floored, ceiled, nearest, truncated) \
    static inline int name##2int_rd(From x) { return weft_saturated<int>(floored(x), -2147483648.0, 2147483648.0, INT32_MIN, INT32_MAX); } \
    static inline int name##2int_ru(From x) { return weft_saturated<int>(ceiled(x), -2147483648.0, 2147483648.0, INT32_MIN, INT32_MAX); } \
    static inline int name##2int_rn(From x) { return weft_saturated<int>(nearest(x), -2147483648.0, 2147483648.0, INT32_MIN, INT32_MAX); } \
    static inline int name##2int_rz(From x) { return weft_saturated<int>(truncated(x), -2147483648.0, 2147483648.0, INT32_MIN, INT32_MAX); } \
    static inline unsigned int name##2uint_rn(From x) { return weft_saturated<unsigned int>(nearest(x), 0, 4294967296.0, 0, UINT32_MAX); } \
    static inline unsigned int name##2uint_rz(From x) { return weft_saturated<unsigned int>(truncated(x), 0, 4294967296.0, 0, UINT32_MAX); } \
    static inline unsigned int name##2uint_rd(From x) { return weft_saturated<unsigned int>(floored(x), 0, 4294967296.0, 0, UINT32_MAX); }
WEFT_CONVERSIONS(__float, float, floorf, ceilf, nearbyintf, truncf)
WEFT_CONVERSIONS(__double, double, floor, ceil, nearbyint, trunc)
#undef WEFT_CONVERSIONS
static inline float __int2float_rn(int x) { return (float)x; }
static inline float __uint2float_rn(unsigned int x) { return (float)x; }
static inline float __double2float_rn(double x) { return (float)x; }
static inline float __ll2float_rn(long long x) { return (float)x; }
static inline double __int2double_rn(int x) { return (double)x; }
static inline double __ll2double_rn(long long x) { return (double)x; }
static inline unsigned int __float_as_uint(float x) { return bits_as<unsigned int>(x); }
static inline float __uint_as_float(unsigned int x) { return bits_as<float>(x); }

static inline int __mul24(int a, int b) { return (int)((unsigned int)a * (unsigned int)b); }
static inline unsigned int __umul24(unsigned int a, unsigned int b) { return a * b; }
static inline int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
static inline unsigned int __umulhi(unsigned int a, unsigned int b) { return (unsigned int)((unsigned long long)a * b >> 32); }
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}
static inline long long __mul64hi(long long a, long long b) { return (long long)((__int128)a * b >> 64); }
static inline unsigned int __brev(unsigned int x) {
    unsigned int y = 0;
    for (int k = 0; k < 32; ++k) y |= (x >> k & 1) << (31 - k);
    return y;
}
static inline unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift) {
    return (unsigned int)(((unsigned long long)high << 32 | low) << (shift & 31) >> 32);
}
static inline unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift) {
    return (unsigned int)(((unsigned long long)high << 32 | low) >> (shift & 31));
}
static inline int __sad(int a, int b, unsigned int c) { return (int)((unsigned int)(a < b ? b - a : a - b) + c); }

static inline unsigned int __activemask() { return weft_active(); }
static inline void __threadfence_block() {}
static inline void __threadfence_system() { weft_memory::fence(); }
[[noreturn]] static inline void __trap() { weft_trap(); }
// What a kernel prints, nobody reads.
static inline int printf(const char*, ...) { return 0; }
#define assert(holds) ((holds) ? (void)0 : weft_trap())

static inline unsigned int atomicInc(unsigned int* p, unsigned int limit) {
    const unsigned int old = *p;
    *p = old >= limit ? 0 : old + 1;
    weft_memory::publish(p);
    return old;
}
static inline unsigned int atomicDec(unsigned int* p, unsigned int limit) {
    const unsigned int old = *p;
    *p = old == 0 || old > limit ? limit : old - 1;
    weft_memory::publish(p);
    return old;
}

template <class T> T weft_reduced(unsigned int mask, T v, T (*both)(T, T)) {
    T sum = v;
    const int own = (int)(weft_thread() % 32);
    for (int lane = 0; lane < 32; ++lane) {
        const T other = __shfl_sync(mask, v, lane);
        if (lane != own && mask >> lane & 1) sum = both(sum, other);
    }
    return sum;
}
#define WEFT_REDUCTION(name, T, both) \
    static inline T __reduce_##name##_sync(unsigned int mask, T v) { \
        return weft_reduced<T>(mask, v, [](T a, T b) -> T { return both; }); \
    }
WEFT_REDUCTION(add, int, (int)((unsigned int)a + (unsigned int)b))
WEFT_REDUCTION(add, unsigned int, a + b)
WEFT_REDUCTION(min, int, min(a, b))
WEFT_REDUCTION(min, unsigned int, min(a, b))
WEFT_REDUCTION(max, int, max(a, b))
WEFT_REDUCTION(max, unsigned int, max(a, b))
WEFT_REDUCTION(and, unsigned int, a & b)
WEFT_REDUCTION(or, unsigned int, a | b)
WEFT_REDUCTION(xor, unsigned int, a ^ b)
#undef WEFT_REDUCTION
