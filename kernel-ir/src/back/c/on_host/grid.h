// A grid of blocks on the host, in waves: the blocks of a wave begin with the same memory, as blocks that run at the same
// time on a GPU may.

namespace weft_grid {

/// Runs `kernel` once for each thread of the grid. A wave has `wave` blocks, which run in order or `backwards`.
template <class Kernel> void run(uint3 blocks, uint3 threads, unsigned int wave, bool backwards, Kernel kernel) {
    gridDim = blocks;
    blockDim = threads;
    weft_memory::begin_launch();
    const unsigned int count = blocks.x * blocks.y * blocks.z;
    for (unsigned int first = 0; first < count; first += wave) {
        const unsigned int end = min(count, first + wave);
        for (unsigned int k = first; k < end; ++k) {
            const unsigned int block = backwards ? end - 1 - (k - first) : k;
            blockIdx = {block % blocks.x, block / blocks.x % blocks.y, block / blocks.x / blocks.y};
            weft_memory::begin_block();
            weft_block::run(threads, kernel);
            weft_memory::end_block();
        }
        weft_memory::end_wave();
    }
}

}  // namespace weft_grid
