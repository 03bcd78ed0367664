// What CUDA's compilers define, for a compiler of the host: enough to check types and syntax.
#include <cmath>
#include <cstdlib>
#include <cstring>

#define __global__
#define __device__

struct uint3 { unsigned int x, y, z; };
extern const uint3 threadIdx, blockIdx, blockDim, gridDim;

long long abs(long long x);

template <class To, class From> To bits(From from) {
    To to;
    static_assert(sizeof to == sizeof from);
    std::memcpy(&to, &from, sizeof to);
    return to;
}
inline int __float_as_int(float x) { return bits<int>(x); }
inline float __int_as_float(int x) { return bits<float>(x); }
inline long long __double_as_longlong(double x) { return bits<long long>(x); }
inline double __longlong_as_double(long long x) { return bits<double>(x); }

int __popc(unsigned int x);
int __popcll(unsigned long long x);
int __clz(int x);
int __clzll(long long x);
int __ffs(int x);
int __ffsll(long long x);

#define ORDER(T) T min(T a, T b); T max(T a, T b);
ORDER(int)
ORDER(unsigned int)
ORDER(long long)
ORDER(unsigned long long)

#define ATOMIC(name, T) T name(T* p, T v);
ATOMIC(atomicAdd, int)
ATOMIC(atomicAdd, unsigned int)
ATOMIC(atomicAdd, unsigned long long)
ATOMIC(atomicAdd, float)
ATOMIC(atomicAdd, double)
ATOMIC(atomicSub, int)
ATOMIC(atomicSub, unsigned int)
#define ATOMIC_ORDER(T) ATOMIC(atomicMin, T) ATOMIC(atomicMax, T)
ATOMIC_ORDER(int)
ATOMIC_ORDER(unsigned int)
ATOMIC_ORDER(long long)
ATOMIC_ORDER(unsigned long long)

int atomicCAS(int* p, int seen, int v);
unsigned long long atomicCAS(unsigned long long* p, unsigned long long seen, unsigned long long v);
