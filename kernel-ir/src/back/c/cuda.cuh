// The prelude of the CUDA dialect. `prelude.rs` explains the notation.

//@ constant()
#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fc00000)
#endif

//@ type(f16) as __half: <cuda_fp16.h>

//@ type(bf16) as __nv_bfloat16: <cuda_bf16.h>

//@ widen(f16) as __half2float: type($0)

//@ widen(bf16) as __bfloat162float: type($0)

//@ round(f16) as __float2half_rn: type($0)

//@ round(bf16) as __float2bfloat16_rn: type($0)

//@ min(narrow, narrow)
$fn $T min($T a, $T b) { return a < b ? a : b; }

//@ max(narrow, narrow)
$fn $T max($T a, $T b) { return a > b ? a : b; }

//@ count_ones(narrow)
$fn unsigned int count_ones($T x) { return __popc(($U)x); }

//@ count_ones(i32)
$fn unsigned int count_ones(int x) { return __popc((unsigned int)x); }

//@ count_ones(u32)
$fn unsigned int count_ones(unsigned int x) { return __popc(x); }

//@ count_ones(int)
$fn unsigned int count_ones($T x) { return __popcll((unsigned long long)x); }

//@ leading_zeros(narrow)
$fn unsigned int leading_zeros($T x) { return __clz(($U)x) - (32 - $B); }

//@ leading_zeros(i32)
$fn unsigned int leading_zeros(int x) { return __clz(x); }

//@ leading_zeros(u32)
$fn unsigned int leading_zeros(unsigned int x) { return __clz((int)x); }

//@ leading_zeros(int)
$fn unsigned int leading_zeros($T x) { return __clzll((long long)x); }

//@ trailing_zeros(narrow)
$fn unsigned int trailing_zeros($T x) { return x == 0 ? $B : __ffs(x) - 1; }

//@ trailing_zeros(i32)
$fn unsigned int trailing_zeros(int x) { return x == 0 ? 32 : __ffs(x) - 1; }

//@ trailing_zeros(u32)
$fn unsigned int trailing_zeros(unsigned int x) { return x == 0 ? 32 : __ffs((int)x) - 1; }

//@ trailing_zeros(int)
$fn unsigned int trailing_zeros($T x) { return x == 0 ? 64 : __ffsll((long long)x) - 1; }

//@ atomic_add(i64)
$fn long long atomic_add(long long* p, long long v) {
    return (long long)atomicAdd((unsigned long long*)p, (unsigned long long)v);
}

//@ atomic_add(f16): widen($0), round($0)
/// Adds, and rounds the sum once. Returns the value from before.
$fn __half atomic_add(__half* p, __half v) {
    unsigned short seen, old = *(unsigned short*)p;
    do {
        seen = old;
        const __half sum = __float2half_rn(__half2float(__ushort_as_half(seen)) + __half2float(v));
        old = atomicCAS((unsigned short*)p, seen, __half_as_ushort(sum));
    } while (old != seen);
    return __ushort_as_half(old);
}

//@ atomic_sub(f16): atomic_add($0)
$fn __half atomic_sub(__half* p, __half v) {
    return atomic_add(p, __float2half_rn(-__half2float(v)));
}

//@ atomic_add(bf16): widen($0), round($0)
/// Adds, and rounds the sum once. Returns the value from before.
$fn __nv_bfloat16 atomic_add(__nv_bfloat16* p, __nv_bfloat16 v) {
    unsigned short seen, old = *(unsigned short*)p;
    do {
        seen = old;
        const __nv_bfloat16 sum = __float2bfloat16_rn(__bfloat162float(__ushort_as_bfloat16(seen)) + __bfloat162float(v));
        old = atomicCAS((unsigned short*)p, seen, __bfloat16_as_ushort(sum));
    } while (old != seen);
    return __ushort_as_bfloat16(old);
}

//@ atomic_sub(bf16): atomic_add($0)
$fn __nv_bfloat16 atomic_sub(__nv_bfloat16* p, __nv_bfloat16 v) {
    return atomic_add(p, __float2bfloat16_rn(-__bfloat162float(v)));
}

//@ atomic_add(scalar) as atomicAdd

//@ atomic_sub(float)
$fn $T atomic_sub($T* p, $T v) { return atomicAdd(p, -v); }

//@ atomic_sub(i32) as atomicSub

//@ atomic_sub(u32) as atomicSub

//@ atomic_sub(int)
$fn $T atomic_sub($T* p, $T v) {
    return ($T)atomicAdd((unsigned long long*)p, 0ULL - (unsigned long long)v);
}

//@ atomic_add(vec)
/// Adds to each component by an atomic operation of its own. Returns the values from before.
$fn $T atomic_add($T* p, $T v) { return {$[atomicAdd(&p->#, v.#)|, ]}; }

//@ atomic_add(quat)
/// Adds to each component by an atomic operation of its own. Returns the values from before.
$fn $T atomic_add($T* p, $T v) { return {$[atomicAdd(&p->#, v.#)|, ]}; }

//@ atomic_add(mat): atomic_add($C)
$fn $T atomic_add($T* p, $T v) { return {$[atomic_add(&p->#, v.#)|, ]}; }

//@ atomic_sub(fvec)
/// Subtracts from each component by an atomic operation of its own. Returns the values from before.
$fn $T atomic_sub($T* p, $T v) { return {$[atomicAdd(&p->#, -v.#)|, ]}; }

//@ atomic_sub(vec)
/// Subtracts from each component by an atomic operation of its own. Returns the values from before.
$fn $T atomic_sub($T* p, $T v) { return {$[atomicSub(&p->#, v.#)|, ]}; }

//@ atomic_sub(quat)
/// Subtracts from each component by an atomic operation of its own. Returns the values from before.
$fn $T atomic_sub($T* p, $T v) { return {$[atomicAdd(&p->#, -v.#)|, ]}; }

//@ atomic_sub(mat): atomic_sub($C)
$fn $T atomic_sub($T* p, $T v) { return {$[atomic_sub(&p->#, v.#)|, ]}; }

//@ atomic_and(i64)
$fn long long atomic_and(long long* p, long long v) {
    return (long long)atomicAnd((unsigned long long*)p, (unsigned long long)v);
}

//@ atomic_and(int) as atomicAnd

//@ atomic_or(i64)
$fn long long atomic_or(long long* p, long long v) {
    return (long long)atomicOr((unsigned long long*)p, (unsigned long long)v);
}

//@ atomic_or(int) as atomicOr

//@ atomic_xor(i64)
$fn long long atomic_xor(long long* p, long long v) {
    return (long long)atomicXor((unsigned long long*)p, (unsigned long long)v);
}

//@ atomic_xor(int) as atomicXor

//@ print(bool) as printf

//@ trap(bool) as __trap

//@ atomic_exch(i64)
$fn long long atomic_exch(long long* p, long long v) {
    return (long long)atomicExch((unsigned long long*)p, (unsigned long long)v);
}

//@ atomic_exch(f64)
$fn double atomic_exch(double* p, double v) {
    return __longlong_as_double(atomicExch((unsigned long long*)p, __double_as_longlong(v)));
}

//@ atomic_exch(scalar) as atomicExch

//@ atomic_cas(i64)
$fn long long atomic_cas(long long* p, long long compare, long long v) {
    return (long long)atomicCAS((unsigned long long*)p, (unsigned long long)compare, (unsigned long long)v);
}

//@ atomic_cas(int) as atomicCAS

//@ block_atomic_add(i64): block_atomic_add($U)
$fn void block_atomic_add(long long* p, long long v, unsigned int thread, unsigned int threads) {
    block_atomic_add((unsigned long long*)p, (unsigned long long)v, thread, threads);
}

//@ block_atomic_add(scalar)
/// Adds to `*p` what the threads of a block have, by one atomic operation: warps add up by shuffles, then the first
/// thread adds up the warps. All threads of the block come here.
$fn void block_atomic_add($T* p, $T v, unsigned int thread, unsigned int threads) {
    __shared__ $T warps[32];
    const unsigned int lane = thread % warpSize;
    const unsigned int lanes = min(threads - (thread - lane), (unsigned int)warpSize);
    for (unsigned int step = warpSize / 2; step > 0; step /= 2) {
        const $T other = $shuffle;
        if (lane + step < lanes) v += other;
    }
    if (lane == 0) warps[thread / warpSize] = v;
    __syncthreads();
    if (thread == 0) {
        for (unsigned int warp = 1; warp * warpSize < threads; ++warp) v += warps[warp];
        if (v != 0) atomicAdd(p, v);
    }
    // The next sum is put in the same place.
    __syncthreads();
}

//@ block_atomic_add(any): block_atomic_add($C)
$fn void block_atomic_add($T* p, $T v, unsigned int thread, unsigned int threads) {
    $[block_atomic_add(&p->#, v.#, thread, threads);|
    ]
}

//@ atomic_min(f32)
$fn float atomic_min(float* p, float v) {
    int old = __float_as_int(*p), seen;
    do {
        seen = old;
        old = atomicCAS((int*)p, seen, __float_as_int(fminf(__int_as_float(seen), v)));
    } while (old != seen);
    return __int_as_float(old);
}

//@ atomic_min(f64)
$fn double atomic_min(double* p, double v) {
    unsigned long long old = __double_as_longlong(*p), seen;
    do {
        seen = old;
        old = atomicCAS((unsigned long long*)p, seen, __double_as_longlong(fmin(__longlong_as_double(seen), v)));
    } while (old != seen);
    return __longlong_as_double(old);
}

//@ atomic_min(int) as atomicMin

//@ atomic_max(f32)
$fn float atomic_max(float* p, float v) {
    int old = __float_as_int(*p), seen;
    do {
        seen = old;
        old = atomicCAS((int*)p, seen, __float_as_int(fmaxf(__int_as_float(seen), v)));
    } while (old != seen);
    return __int_as_float(old);
}

//@ atomic_max(f64)
$fn double atomic_max(double* p, double v) {
    unsigned long long old = __double_as_longlong(*p), seen;
    do {
        seen = old;
        old = atomicCAS((unsigned long long*)p, seen, __double_as_longlong(fmax(__longlong_as_double(seen), v)));
    } while (old != seen);
    return __longlong_as_double(old);
}

//@ atomic_max(int) as atomicMax
