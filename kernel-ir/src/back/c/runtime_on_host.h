// The part of CUDA's runtime that the program below calls, with a meaning on the host.
#include <cstddef>

enum cudaError_t { cudaSuccess, cudaErrorMemoryAllocation };
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };
static inline const char* cudaGetErrorString(cudaError_t) { return "out of memory"; }
static inline cudaError_t cudaGetLastError() { return cudaSuccess; }
static inline cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
static inline cudaError_t cudaMalloc(void** p, size_t size) {
    *p = std::malloc(size ? size : 1);
    return *p ? cudaSuccess : cudaErrorMemoryAllocation;
}
static inline cudaError_t cudaMemcpy(void* to, const void* from, size_t size, cudaMemcpyKind) {
    std::memcpy(to, from, size);
    return cudaSuccess;
}
static inline cudaError_t cudaFree(void* p) {
    std::free(p);
    return cudaSuccess;
}

// One call takes the kernel through the whole launch.
#define WEFT_LAUNCH(kernel, blocks, threads) kernel

// So a block is one thread, which meets nobody.
static const int warpSize = 32;
template <class T> T __shfl_down_sync(unsigned int, T v, unsigned int) { return v; }
static inline void __syncthreads() {}
