using index_t = unsigned int;

/// y = a·x + y.
extern "C" __global__ void saxpy(
    float a,
    const float* __restrict__ x,
    float* __restrict__ y,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        y[i] += a * x[i];
    }
}
