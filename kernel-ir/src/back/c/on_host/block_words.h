// The words of CUDA for threads of a block that wait for each other. A header before this one has the namespace
// `weft_block`, which runs the threads.

static inline void __syncthreads() { weft_block::barrier(); }
static inline int __syncthreads_count(int holds) { return weft_block::votes(holds != 0); }
static inline int __syncthreads_or(int holds) { return weft_block::votes(holds != 0) != 0; }
static inline int __syncthreads_and(int holds) { return weft_block::votes(holds == 0) == 0; }
static inline void __syncwarp(unsigned int mask = 0xffffffffu) { weft_block::exchange(mask, 0, 0); }

template <class T> T __shfl_sync(unsigned int mask, T v, int lane, int width = 32) {
    return weft_block::exchange(mask, v, weft_block::group(width) + (unsigned int)(lane & (width - 1)));
}
template <class T> T __shfl_down_sync(unsigned int mask, T v, unsigned int step, int width = 32) {
    const unsigned int own = weft_block::thread(), from = own + step;
    return weft_block::exchange(mask, v, from < weft_block::group(width) + (unsigned int)width ? from : own);
}
template <class T> T __shfl_up_sync(unsigned int mask, T v, unsigned int step, int width = 32) {
    const unsigned int own = weft_block::thread();
    return weft_block::exchange(mask, v, own - weft_block::group(width) >= step ? own - step : own);
}
template <class T> T __shfl_xor_sync(unsigned int mask, T v, int lanes, int width = 32) {
    const unsigned int own = weft_block::thread(), from = own ^ (unsigned int)lanes;
    return weft_block::exchange(mask, v, from < weft_block::group(width) + (unsigned int)width ? from : own);
}
static inline unsigned int __ballot_sync(unsigned int mask, int holds) {
    const int own = (int)weft_block::thread() % warpSize, vote = own << 1 | (holds != 0);
    unsigned int votes = 0;
    for (int lane = 0; lane < warpSize; ++lane) {
        // Who does not vote leaves the own vote there.
        if (__shfl_sync(mask, vote, lane, warpSize) == (lane << 1 | 1)) votes |= 1u << lane;
    }
    return votes;
}
static inline int __any_sync(unsigned int mask, int holds) { return __ballot_sync(mask, holds) != 0; }
static inline int __all_sync(unsigned int mask, int holds) { return __ballot_sync(mask, !holds) == 0; }
