using index_t = unsigned int;

/// What one thread does.
static __device__ void first_above_thread(
    index_t samples,
    float threshold,
    const float* __restrict__ signal,
    index_t signal_shape1,
    int* __restrict__ position,
    index_t i
) {
    position[i] = -1;
    for (index_t j = 0; j < samples; ++j) {
        if (signal[i * signal_shape1 + j] > threshold) {
            position[i] = (int)j;
            return;
        }
    }
}

/// Position of the first sample of each row that exceeds the threshold, −1 if none does.
extern "C" __global__ void first_above(
    index_t samples,
    float threshold,
    const float* __restrict__ signal,
    index_t signal_shape1,
    int* __restrict__ position,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        first_above_thread(samples, threshold, signal, signal_shape1, position, i);
    }
}
