using index_t = unsigned int;

extern "C" __global__ void fill(
    float* __restrict__ out,
    index_t out_shape1,
    index_t out_shape2,
    index_t out_shape3,
    index_t dim0,
    index_t dim1,
    index_t dim2,
    index_t dim3
) {
    const index_t threads = dim0 * dim1 * dim2 * dim3;
    for (index_t thread = blockIdx.x * blockDim.x + threadIdx.x; thread < threads; thread += gridDim.x * blockDim.x) {
        const index_t l = thread % dim3;
        const index_t k = thread / dim3 % dim2;
        const index_t j = thread / dim3 / dim2 % dim1;
        const index_t i = thread / dim3 / dim2 / dim1;
        out[((i * out_shape1 + j) * out_shape2 + k) * out_shape3 + l] = -0.25f;
    }
}
