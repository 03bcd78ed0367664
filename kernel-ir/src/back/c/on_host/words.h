// Defines CUDA's keywords and functions for the host, so that a C++ compiler accepts emitted CUDA text unchanged. A header
// before this one declares the index variables, `__shared__`, and the namespace `weft_memory`.

#define __global__
#define __device__
#define __host__
#define __constant__
#define __forceinline__ inline
#define __noinline__
#define __launch_bounds__(...)

static inline unsigned short __half_as_ushort(__half x) { return x.bits; }
static inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 x) { return x.bits; }
static inline __half __ushort_as_half(unsigned short bits) { return {bits}; }
static inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) { return {bits}; }
static inline bool operator!=(__half a, __half b) { return __half2float(a) != __half2float(b); }
static inline bool operator!=(__nv_bfloat16 a, __nv_bfloat16 b) { return __bfloat162float(a) != __bfloat162float(b); }

template <class To, class From> To bits_as(From from) {
    To to;
    static_assert(sizeof to == sizeof from, "a reinterpretation keeps every bit");
    std::memcpy(&to, &from, sizeof to);
    return to;
}
static inline int __float_as_int(float x) { return bits_as<int>(x); }
static inline float __int_as_float(int x) { return bits_as<float>(x); }
static inline long long __double_as_longlong(double x) { return bits_as<long long>(x); }
static inline double __longlong_as_double(long long x) { return bits_as<double>(x); }

static inline int __popc(unsigned int x) { return __builtin_popcount(x); }
static inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static inline int __clz(int x) { return x ? __builtin_clz(static_cast<unsigned int>(x)) : 32; }
static inline int __clzll(long long x) { return x ? __builtin_clzll(static_cast<unsigned long long>(x)) : 64; }
static inline int __ffs(int x) { return __builtin_ffs(x); }
static inline int __ffsll(long long x) { return __builtin_ffsll(x); }

// Exactly CUDA's overloads, so that a call without an overload in CUDA does not compile here either.
#define ORDER(T) \
    static inline T min(T a, T b) { return b < a ? b : a; } \
    static inline T max(T a, T b) { return a < b ? b : a; }
ORDER(int)
ORDER(unsigned int)
ORDER(long long)
ORDER(unsigned long long)
#undef ORDER
static inline unsigned int min(int a, unsigned int b) { return min((unsigned int)a, b); }
static inline unsigned int min(unsigned int a, int b) { return min(a, (unsigned int)b); }
static inline unsigned int max(int a, unsigned int b) { return max((unsigned int)a, b); }
static inline unsigned int max(unsigned int a, int b) { return max(a, (unsigned int)b); }
static inline float min(float a, float b) { return fminf(a, b); }
static inline float max(float a, float b) { return fmaxf(a, b); }
static inline double min(double a, double b) { return fmin(a, b); }
static inline double max(double a, double b) { return fmax(a, b); }

static inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
static inline double rsqrt(double x) { return 1.0 / sqrt(x); }
static inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
static inline double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
template <class T> T __ldg(const T* p) { return *p; }
static inline void __threadfence() { weft_memory::fence(); }

// The last argument is the new value.
#define ATOMIC(name, T, after) \
    static inline T name(T* p, T v) { const T old = *p; *p = after; weft_memory::publish(p); return old; }
ATOMIC(atomicAdd, unsigned int, old + v)
ATOMIC(atomicAdd, unsigned long long, old + v)
ATOMIC(atomicAdd, float, old + v)
ATOMIC(atomicAdd, double, old + v)
ATOMIC(atomicSub, unsigned int, old - v)
// Signed atomics wrap on a GPU.
ATOMIC(atomicAdd, int, static_cast<int>(static_cast<unsigned int>(old) + static_cast<unsigned int>(v)))
ATOMIC(atomicSub, int, static_cast<int>(static_cast<unsigned int>(old) - static_cast<unsigned int>(v)))
#define ATOMIC_ORDER(T) ATOMIC(atomicMin, T, min(old, v)) ATOMIC(atomicMax, T, max(old, v))
ATOMIC_ORDER(int)
ATOMIC_ORDER(unsigned int)
ATOMIC_ORDER(long long)
ATOMIC_ORDER(unsigned long long)
#undef ATOMIC_ORDER
ATOMIC(atomicExch, float, v)
#define ATOMIC_BITS(T) ATOMIC(atomicExch, T, v) ATOMIC(atomicAnd, T, old & v) ATOMIC(atomicOr, T, old | v) \
    ATOMIC(atomicXor, T, old ^ v)
ATOMIC_BITS(int)
ATOMIC_BITS(unsigned int)
ATOMIC_BITS(unsigned long long)
#undef ATOMIC_BITS
#undef ATOMIC

#define EXCHANGE(T) \
    static inline T atomicCAS(T* p, T seen, T v) { \
        const T old = *p; \
        if (old == seen) *p = v, weft_memory::publish(p); \
        return old; \
    }
EXCHANGE(unsigned short)
EXCHANGE(int)
EXCHANGE(unsigned int)
EXCHANGE(unsigned long long)
#undef EXCHANGE
