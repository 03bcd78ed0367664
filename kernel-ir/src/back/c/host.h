// The prelude of the host dialect. `prelude.rs` explains the notation.

//@ constant(): <cmath>

//@ min(int, int)
$fn $T min($T a, $T b) { return a < b ? a : b; }

//@ max(int, int)
$fn $T max($T a, $T b) { return a > b ? a : b; }

//@ abs(i32): <cstdlib>

//@ abs(i64) as llabs: <cstdlib>

//@ count_ones(int)
$fn unsigned int count_ones($T x) { return (unsigned int)__builtin_popcountll(($U)x); }

//@ leading_zeros(int)
$fn unsigned int leading_zeros($T x) {
    return x == 0 ? $B : (unsigned int)__builtin_clzll(($U)x) - (64 - $B);
}

//@ trailing_zeros(int)
$fn unsigned int trailing_zeros($T x) {
    return x == 0 ? $B : (unsigned int)__builtin_ctzll(($U)x);
}

//@ atomic_add(f16): widen($0), round($0)
// Threads run one after the other here: nothing comes between the read and the write.
$fn __half atomic_add(__half* p, __half v) {
    const __half old = *p;
    *p = __float2half_rn(__half2float(old) + __half2float(v));
    return old;
}

//@ atomic_sub(f16): widen($0), round($0)
// Threads run one after the other here: nothing comes between the read and the write.
$fn __half atomic_sub(__half* p, __half v) {
    const __half old = *p;
    *p = __float2half_rn(__half2float(old) - __half2float(v));
    return old;
}

//@ atomic_add(bf16): widen($0), round($0)
// Threads run one after the other here: nothing comes between the read and the write.
$fn __nv_bfloat16 atomic_add(__nv_bfloat16* p, __nv_bfloat16 v) {
    const __nv_bfloat16 old = *p;
    *p = __float2bfloat16_rn(__bfloat162float(old) + __bfloat162float(v));
    return old;
}

//@ atomic_sub(bf16): widen($0), round($0)
// Threads run one after the other here: nothing comes between the read and the write.
$fn __nv_bfloat16 atomic_sub(__nv_bfloat16* p, __nv_bfloat16 v) {
    const __nv_bfloat16 old = *p;
    *p = __float2bfloat16_rn(__bfloat162float(old) - __bfloat162float(v));
    return old;
}

//@ atomic_add(float)
// Threads run one after the other here: nothing comes between the read and the write.
$fn $T atomic_add($T* p, $T v) {
    const $T old = *p;
    *p = old + v;
    return old;
}

//@ atomic_add(int)
// Threads run one after the other here: nothing comes between the read and the write.
$fn $T atomic_add($T* p, $T v) {
    const $T old = *p;
    *p = ($T)(($U)old + ($U)v);
    return old;
}

//@ atomic_sub(float)
// Threads run one after the other here: nothing comes between the read and the write.
$fn $T atomic_sub($T* p, $T v) {
    const $T old = *p;
    *p = old - v;
    return old;
}

//@ atomic_sub(int)
// Threads run one after the other here: nothing comes between the read and the write.
$fn $T atomic_sub($T* p, $T v) {
    const $T old = *p;
    *p = ($T)(($U)old - ($U)v);
    return old;
}

//@ atomic_and(int)
// Threads run one after the other here: nothing comes between the read and the write.
$fn $T atomic_and($T* p, $T v) {
    const $T old = *p;
    *p = old & v;
    return old;
}

//@ atomic_or(int)
// Threads run one after the other here: nothing comes between the read and the write.
$fn $T atomic_or($T* p, $T v) {
    const $T old = *p;
    *p = old | v;
    return old;
}

//@ atomic_xor(int)
// Threads run one after the other here: nothing comes between the read and the write.
$fn $T atomic_xor($T* p, $T v) {
    const $T old = *p;
    *p = old ^ v;
    return old;
}

//@ print(bool) as printf: <cstdio>

//@ trap(bool) as abort: <cstdlib>

//@ atomic_exch(scalar)
// Threads run one after the other here: nothing comes between the read and the write.
$fn $T atomic_exch($T* p, $T v) {
    const $T old = *p;
    *p = v;
    return old;
}

//@ atomic_cas(int)
// Threads run one after the other here: nothing comes between the read and the write.
$fn $T atomic_cas($T* p, $T compare, $T v) {
    const $T old = *p;
    if (old == compare) *p = v;
    return old;
}

//@ atomic_add(any): atomic_add($C)
$fn $T atomic_add($T* p, $T v) { return {$[atomic_add(&p->#, v.#)|, ]}; }

//@ atomic_sub(any): atomic_sub($C)
$fn $T atomic_sub($T* p, $T v) { return {$[atomic_sub(&p->#, v.#)|, ]}; }

//@ atomic_min(float): <cmath>
// Threads run one after the other here: nothing comes between the read and the write.
$fn $T atomic_min($T* p, $T v) {
    const $T old = *p;
    *p = fmin$f(old, v);
    return old;
}

//@ atomic_min(int)
// Threads run one after the other here: nothing comes between the read and the write.
$fn $T atomic_min($T* p, $T v) {
    const $T old = *p;
    *p = old < v ? old : v;
    return old;
}

//@ atomic_max(float): <cmath>
// Threads run one after the other here: nothing comes between the read and the write.
$fn $T atomic_max($T* p, $T v) {
    const $T old = *p;
    *p = fmax$f(old, v);
    return old;
}

//@ atomic_max(int)
// Threads run one after the other here: nothing comes between the read and the write.
$fn $T atomic_max($T* p, $T v) {
    const $T old = *p;
    *p = old > v ? old : v;
    return old;
}
