//! Sums over threads: what is written, and that the threads of a warp add up all that they have.

use super::run::output;
use crate::back::c::{self, Dialect};
use crate::check::{CheckedKernel, check};
use crate::text::parse;
use expect_test::expect;

/// Threads leave in the midst of a loop, some of them before they add anything.
const TOTALS: &str = "#[kernel(family = \"test\", dim = 1)]
fn totals(x: &[f32; dim(0)], sums: &mut [vec2; 2], count: &mut [i64; 1],) {
    let i.0: usize = tid(0);
    for k.1: i32 in (0i32..3i32) {
        if x[i.0] < k.1 as f32 {
            return;
        }
        atomic_add(sums[1usize].y, x[i.0]);
        atomic_sub(sums[0usize].x, 2.0f32 * x[i.0]);
        atomic_add(count[0usize], 1i64);
    }
}
";

fn cuda() -> String {
    let kernel: CheckedKernel = check(parse(TOTALS).unwrap_or_else(|error| panic!("{error}"))).unwrap();
    c::write(&kernel, Dialect::Cuda)
}

#[test]
fn each_thread_has_sums_of_its_own() {
    expect![[r#"
        using index_t = unsigned int;

        struct vec2 {
            float x, y;
        };

        /// Adds to `*p` what the threads of a warp have, by one atomic operation. All threads of the block come here.
        __device__ inline void warp_atomic_add(float* p, float v) {
            const unsigned int threads = blockDim.x * blockDim.y * blockDim.z;
            const unsigned int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
            const unsigned int lane = thread % warpSize;
            const unsigned int lanes = min(threads - (thread - lane), (unsigned int)warpSize);
            for (unsigned int step = warpSize / 2; step > 0; step /= 2) {
                const float other = __shfl_down_sync(0xffffffffu >> (32 - lanes), v, step);
                if (lane + step < lanes) v += other;
            }
            if (lane == 0 && v != 0) atomicAdd(p, v);
        }

        __device__ inline void warp_atomic_add(vec2* p, vec2 v) {
            warp_atomic_add(&p->x, v.x);
            warp_atomic_add(&p->y, v.y);
        }

        /// Adds to `*p` what the threads of a warp have, by one atomic operation. All threads of the block come here.
        __device__ inline void warp_atomic_add(unsigned long long* p, unsigned long long v) {
            const unsigned int threads = blockDim.x * blockDim.y * blockDim.z;
            const unsigned int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
            const unsigned int lane = thread % warpSize;
            const unsigned int lanes = min(threads - (thread - lane), (unsigned int)warpSize);
            for (unsigned int step = warpSize / 2; step > 0; step /= 2) {
                const unsigned long long other = __shfl_down_sync(0xffffffffu >> (32 - lanes), v, step);
                if (lane + step < lanes) v += other;
            }
            if (lane == 0 && v != 0) atomicAdd(p, v);
        }

        __device__ inline void warp_atomic_add(long long* p, long long v) {
            warp_atomic_add((unsigned long long*)p, (unsigned long long)v);
        }

        /// What one thread does.
        static __device__ void totals_thread(
            const float* __restrict__ x,
            vec2* __restrict__ sums,
            long long* __restrict__ count,
            index_t i,
            vec2& sums_sum0,
            vec2& sums_sum1,
            long long& count_sum
        ) {
            for (int k = 0; k < 3; ++k) {
                if (x[i] < (float)k) {
                    return;
                }
                sums_sum1.y += x[i];
                sums_sum0.x -= 2.0f * x[i];
                count_sum += 1LL;
            }
        }

        extern "C" __global__ void totals(
            const float* __restrict__ x,
            vec2* __restrict__ sums,
            long long* __restrict__ count,
            index_t dim
        ) {
            vec2 sums_sum0 = {};
            vec2 sums_sum1 = {};
            long long count_sum = {};
            for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
                totals_thread(x, sums, count, i, sums_sum0, sums_sum1, count_sum);
            }
            warp_atomic_add(&sums[0], sums_sum0);
            warp_atomic_add(&sums[1], sums_sum1);
            warp_atomic_add(&count[0], count_sum);
        }
    "#]]
    .assert_eq(&cuda());
}

/// CUDA's words for one block whose threads are threads of the host, and go from shuffle to shuffle together.
const THREADS: &str = r#"
#include <pthread.h>
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>
#define __global__
#define __device__
using std::min;
struct uint3 { unsigned int x, y, z; };
static thread_local uint3 threadIdx;
static uint3 blockIdx = {0, 0, 0}, blockDim, gridDim = {1, 1, 1};
static const int warpSize = 32;
static std::atomic<int> atomics;
template <class T> void atomicAdd(T* p, T v) {
    static std::atomic_flag busy = ATOMIC_FLAG_INIT;
    while (busy.test_and_set()) {}
    *p += v;
    busy.clear();
    ++atomics;
}
struct Warp { pthread_barrier_t barrier; unsigned int mask; double lanes[32]; };
static Warp warps[4];
template <class T> T __shfl_down_sync(unsigned int mask, T v, unsigned int step) {
    const unsigned int thread = threadIdx.y * blockDim.x + threadIdx.x, lane = thread % 32;
    Warp& warp = warps[thread / 32];
    if (mask != warp.mask) std::printf("mask %x, not %x\n", mask, warp.mask);
    warp.lanes[lane] = (double)v;
    pthread_barrier_wait(&warp.barrier);
    const T found = lane + step < 32 ? (T)warp.lanes[lane + step] : v;
    pthread_barrier_wait(&warp.barrier);
    return found;
}
"#;

/// Launches the kernel on blocks of several sizes, and prints the sums and the number of atomic operations.
const LAUNCHES: &str = r#"
static void launch(unsigned int width, unsigned int height, unsigned int n) {
    std::vector<float> x(n);
    for (unsigned int i = 0; i < n; ++i) x[i] = (float)i - 2;
    vec2 sums[2] = {{100, 1}, {1, 200}};
    long long count[1] = {-4};
    blockDim = {width, height, 1};
    const unsigned int threads = width * height;
    for (unsigned int warp = 0; 32 * warp < threads; ++warp) {
        const unsigned int lanes = std::min(32u, threads - 32 * warp);
        warps[warp].mask = lanes == 32 ? ~0u : (1u << lanes) - 1;
        std::fill_n(warps[warp].lanes, 32, 1e9);
        pthread_barrier_init(&warps[warp].barrier, nullptr, lanes);
    }
    atomics = 0;
    std::vector<std::thread> running;
    for (unsigned int thread = 0; thread < threads; ++thread) {
        running.emplace_back([&, thread] {
            threadIdx = {thread % width, thread / width, 0};
            totals(x.data(), sums, count, n);
        });
    }
    for (std::thread& thread : running) thread.join();
    std::printf("%g %g %g %g %lld: %d\n", sums[0].x, sums[0].y, sums[1].x, sums[1].y, count[0], (int)atomics);
}
int main() {
    launch(1, 1, 6);
    launch(7, 1, 6);
    launch(32, 1, 6);
    launch(50, 1, 6);
    launch(50, 1, 60);
    launch(16, 6, 96);
    launch(64, 1, 0);
}
"#;

#[test]
fn threads_of_a_warp_add_up_before_one_of_them_adds() {
    let Some(printed) = output("warps", &format!("{THREADS}{}{LAUNCHES}", cuda())) else { return };
    expect![[r#"
        66 1 1 217 5: 3
        66 1 1 217 5: 3
        66 1 1 217 5: 3
        66 1 1 217 5: 3
        -9816 1 1 5158 167: 6
        -157244 1 1 78872 1670: 9
        100 1 1 200 -4: 0
    "#]]
    .assert_eq(&printed);
}
