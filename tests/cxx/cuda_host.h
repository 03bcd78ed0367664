// The words of CUDA with a meaning on the host: one block of one thread, which a grid-stride loop takes through the
// whole launch.
#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __restrict__ __restrict

#include <cmath>
#include <cstring>

struct HostIndex {
    unsigned int x, y, z;
};
static const HostIndex threadIdx = {0, 0, 0}, blockIdx = {0, 0, 0}, blockDim = {1, 1, 1}, gridDim = {1, 1, 1};

template <class T, class U>
T atomicAdd(T* address, U value) {
    const T old = *address;
    *address = old + value;
    return old;
}

template <class T, class U>
T atomicSub(T* address, U value) {
    const T old = *address;
    *address = old - value;
    return old;
}

template <class T, class U>
T atomicMin(T* address, U value) {
    const T old = *address;
    if (static_cast<T>(value) < old) *address = value;
    return old;
}

template <class T, class U>
T atomicMax(T* address, U value) {
    const T old = *address;
    if (static_cast<T>(value) > old) *address = value;
    return old;
}

template <class T, class U, class V>
T atomicCAS(T* address, U compare, V value) {
    const T old = *address;
    if (old == static_cast<T>(compare)) *address = value;
    return old;
}

template <class To, class From>
To bits_of(From value) {
    static_assert(sizeof(To) == sizeof(From), "a change of type keeps every bit");
    To bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

inline int __float_as_int(float value) { return bits_of<int>(value); }
inline unsigned int __float_as_uint(float value) { return bits_of<unsigned int>(value); }
inline float __int_as_float(int value) { return bits_of<float>(value); }
inline float __uint_as_float(unsigned int value) { return bits_of<float>(value); }
inline long long __double_as_longlong(double value) { return bits_of<long long>(value); }
inline double __longlong_as_double(long long value) { return bits_of<double>(value); }
inline int __popc(unsigned int value) { return __builtin_popcount(value); }
inline int __popcll(unsigned long long value) { return __builtin_popcountll(value); }
inline int __clz(int value) { return value ? __builtin_clz(value) : 32; }
inline int __clzll(long long value) { return value ? __builtin_clzll(value) : 64; }
inline int __ffs(int value) { return __builtin_ffs(value); }
inline int __ffsll(long long value) { return __builtin_ffsll(value); }
