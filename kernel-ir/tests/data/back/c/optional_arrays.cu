using index_t = unsigned int;

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

extern "C" __global__ void k(
    const float* __restrict__ x,
    const unsigned int* __restrict__ mask,
    const float* __restrict__ grid,
    index_t grid_shape1,
    float* __restrict__ y,
    float* __restrict__ out,
    index_t out_len,
    float* __restrict__ loss,
    index_t dim
) {
    float loss_sum = {};
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        if (mask != nullptr && mask[i] != 0u) {
            continue;
        }
        const float w = grid != nullptr ? grid[i * grid_shape1 + 1] : 1.0f;
        const bool all = mask != nullptr && grid != nullptr;
        if (all == (out != nullptr)) {
            y[i] = w;
        }
        if (out == nullptr) {
            y[i] = x[i];
            continue;
        }
        out[i] = w * x[i] + (float)out_len;
        if (loss != nullptr) {
            loss_sum += x[i];
        }
    }
    if (loss != nullptr) block_atomic_add(&loss[0], loss_sum, threadIdx.x, blockDim.x);
}
