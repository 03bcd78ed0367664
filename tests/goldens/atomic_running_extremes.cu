using index_t = unsigned int;

/// Largest and smallest of all readings, in one element each that holds the extreme so far.
extern "C" __global__ void running_extremes(
    const int* __restrict__ readings,
    int* __restrict__ highest,
    int* __restrict__ lowest,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        atomicMax(&highest[0], readings[i]);
        atomicMin(&lowest[0], readings[i]);
    }
}
