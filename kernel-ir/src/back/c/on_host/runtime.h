// Defines, for the host, the part of CUDA's runtime that the program below calls.
#include <cstddef>

enum cudaError_t { cudaSuccess, cudaErrorMemoryAllocation };
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };
static inline const char* cudaGetErrorString(cudaError_t) { return "out of memory"; }
static inline cudaError_t cudaGetLastError() { return cudaSuccess; }
static inline cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
static inline cudaError_t cudaMalloc(void** p, size_t size) {
    *p = weft_memory::allocate(size);
    return *p ? cudaSuccess : cudaErrorMemoryAllocation;
}
static inline cudaError_t cudaMemcpy(void* to, const void* from, size_t size, cudaMemcpyKind) {
    std::memcpy(to, from, size);
    return cudaSuccess;
}
static inline cudaError_t cudaFree(void* p) {
    weft_memory::free(p);
    return cudaSuccess;
}

struct dim3 {
    unsigned int x, y, z;
    dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
};

/// A kernel and its grid.
template <class... Params> struct WeftLaunch {
    void (*kernel)(Params...);
    dim3 blocks, threads;

    void operator()(Params... args) const {
        const uint3 grid = {blocks.x, blocks.y, blocks.z}, block = {threads.x, threads.y, threads.z};
        // Two waves at least, if there are blocks enough.
        const unsigned int count = grid.x * grid.y * grid.z, wave = count / 2 + 1;
        weft_grid::run(grid, block, wave, false, [&] { kernel(args...); });
    }
};
template <class... Params> WeftLaunch<Params...> weft_launch(void (*kernel)(Params...), dim3 blocks, dim3 threads) {
    return {kernel, blocks, threads};
}
#define WEFT_LAUNCH(kernel, blocks, threads) weft_launch(kernel, blocks, threads)
