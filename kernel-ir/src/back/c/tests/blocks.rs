//! Sums over threads: what is written, and that the threads of a block add up all that they have.

use super::run::output;
use crate::back::c::{self, BLOCK_ON_HOST, CUDA_ON_HOST, Dialect};
use crate::text::parse;
use crate::verify::{VerifiedKernel, verify};
use expect_test::expect;

/// Threads leave in the midst of a loop, some of them before they add anything.
const TOTALS: &str = "#[kernel(family = \"test\", dim = 1)]
fn totals(x: &[f32; dim(0)], sums: &mut [vec2; 2], count: &mut [i64; 2],) {
    let i.0: usize = tid(0);
    for k.1: i32 in (0i32..3i32) {
        if x[i.0] < k.1 as f32 {
            return;
        }
        atomic_add(sums[1usize].y, x[i.0]);
        atomic_sub(sums[0usize].x, 2.0f32 * x[i.0]);
        atomic_add(count[0usize], 1i64);
        atomic_add(count[1usize], 2i64);
    }
}
";

fn cuda() -> String {
    let kernel: VerifiedKernel = verify(parse(TOTALS).unwrap_or_else(|error| panic!("{error}"))).unwrap();
    c::write(&kernel, Dialect::Cuda)
}

#[test]
fn each_thread_has_sums_of_its_own() {
    expect![[r#"
        using index_t = unsigned int;

        struct vec2 {
            float x, y;
        };

        /// Adds to `*p` what the threads of a block have, by one atomic operation: warps add up by shuffles, then the first
        /// thread adds up the warps. All threads of the block come here.
        __device__ inline void block_atomic_add(float* p, float v, unsigned int thread, unsigned int threads) {
            __shared__ float warps[32];
            const unsigned int lane = thread % warpSize;
            const unsigned int lanes = min(threads - (thread - lane), (unsigned int)warpSize);
            for (unsigned int step = warpSize / 2; step > 0; step /= 2) {
                const float other = __shfl_down_sync(0xffffffffu >> (32 - lanes), v, step);
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

        __device__ inline void block_atomic_add(vec2* p, vec2 v, unsigned int thread, unsigned int threads) {
            block_atomic_add(&p->x, v.x, thread, threads);
            block_atomic_add(&p->y, v.y, thread, threads);
        }

        /// Adds to `*p` what the threads of a block have, by one atomic operation: warps add up by shuffles, then the first
        /// thread adds up the warps. All threads of the block come here.
        __device__ inline void block_atomic_add(unsigned long long* p, unsigned long long v, unsigned int thread, unsigned int threads) {
            __shared__ unsigned long long warps[32];
            const unsigned int lane = thread % warpSize;
            const unsigned int lanes = min(threads - (thread - lane), (unsigned int)warpSize);
            for (unsigned int step = warpSize / 2; step > 0; step /= 2) {
                const unsigned long long other = __shfl_down_sync(0xffffffffu >> (32 - lanes), v, step);
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

        __device__ inline void block_atomic_add(long long* p, long long v, unsigned int thread, unsigned int threads) {
            block_atomic_add((unsigned long long*)p, (unsigned long long)v, thread, threads);
        }

        /// What one thread does.
        static __device__ void totals_thread(
            const float* __restrict__ x,
            vec2* __restrict__ sums,
            long long* __restrict__ count,
            index_t i,
            vec2& sums_sum0,
            vec2& sums_sum1,
            long long& count_sum0,
            long long& count_sum1
        ) {
            for (int k = 0; k < 3; ++k) {
                if (x[i] < (float)k) {
                    return;
                }
                sums_sum1.y += x[i];
                sums_sum0.x -= 2.0f * x[i];
                count_sum0 += 1LL;
                count_sum1 += 2LL;
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
            long long count_sum0 = {};
            long long count_sum1 = {};
            for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
                totals_thread(x, sums, count, i, sums_sum0, sums_sum1, count_sum0, count_sum1);
            }
            block_atomic_add(&sums[0], sums_sum0, threadIdx.x, blockDim.x);
            block_atomic_add(&sums[1], sums_sum1, threadIdx.x, blockDim.x);
            block_atomic_add(&count[0], count_sum0, threadIdx.x, blockDim.x);
            block_atomic_add(&count[1], count_sum1, threadIdx.x, blockDim.x);
        }
    "#]]
    .assert_eq(&cuda());
}

/// Counts the atomic operations of the kernel after it.
const COUNT: &str = "
#include <vector>
static int atomics;
template <class T> void counted(T* p, T v) { ++atomics; atomicAdd(p, v); }
#define atomicAdd counted
";

/// Launches the kernel on blocks of several sizes, and prints the sums and the number of atomic operations.
const LAUNCHES: &str = r#"
static void launch(uint3 block, unsigned int n) {
    std::vector<float> x(n);
    for (unsigned int i = 0; i < n; ++i) x[i] = (float)i - 2;
    vec2 sums[2] = {{100, 1}, {1, 200}};
    long long count[2] = {-4, 7};
    blockDim = block;
    atomics = 0;
    weft_block::run(block, [&] { totals(x.data(), sums, count, n); });
    std::printf("%g %g %g %g", sums[0].x, sums[0].y, sums[1].x, sums[1].y);
    std::printf(" %lld %lld: %d\n", count[0], count[1], atomics);
}
int main() {
    launch({1, 1, 1}, 6);
    launch({7, 1, 1}, 6);
    launch({8, 1, 1}, 6);
    launch({50, 1, 1}, 6);
    launch({50, 1, 1}, 60);
    launch({256, 1, 1}, 96);
    launch({64, 1, 1}, 0);
}
"#;

fn printed(test: &str, kernel: &str) -> Option<String> {
    output(test, &format!("{CUDA_ON_HOST}{BLOCK_ON_HOST}{COUNT}{kernel}{LAUNCHES}"))
}

#[test]
fn threads_of_a_block_add_up_before_one_of_them_adds() {
    let Some(printed) = printed("blocks", &cuda()) else { return };
    expect![[r#"
        66 1 1 217 5 25: 4
        66 1 1 217 5 25: 4
        66 1 1 217 5 25: 4
        66 1 1 217 5 25: 4
        -9816 1 1 5158 167 349: 4
        -26124 1 1 13312 275 565: 4
        100 1 1 200 -4 7: 0
    "#]]
    .assert_eq(&printed);
}

#[test]
fn a_barrier_that_is_missing_shows() {
    let right = cuda();
    let Some(sums) = printed("barriers", &right) else { return };
    let barriers: Vec<(usize, &str)> = right.match_indices("    __syncthreads();\n").collect();
    assert_eq!(barriers.len(), 4, "two of each of the functions that add: {right}");
    for (place, barrier) in barriers {
        let mut wrong = right.clone();
        wrong.replace_range(place..place + barrier.len(), "");
        assert_ne!(printed("barriers", &wrong).as_ref(), Some(&sums), "{wrong}");
    }
}

/// The second of two threads has locals of so many bytes, of which it uses one in a thousand.
const DEEP: &str = r#"
template <size_t BYTES> void deep() {
    __syncthreads();
    if (threadIdx.x == 0) return;
    volatile char local[BYTES];
    for (size_t i = 0; i < sizeof local; i += 1000) local[i] = 1;
}
int main() {
    weft_block::run({2, 1, 1}, deep<(7 << 20)>);
    std::printf("enough\n");
    std::fflush(stdout);
    weft_block::run({2, 1, 1}, deep<(9 << 20)>);
    std::printf("not enough\n");
}
"#;

#[test]
fn a_thread_that_needs_more_than_its_stack_ends_the_process() {
    let Some(printed) = output("stacks", &format!("{CUDA_ON_HOST}{BLOCK_ON_HOST}{}{DEEP}", cuda())) else { return };
    assert_eq!(printed, "enough\n");
}
