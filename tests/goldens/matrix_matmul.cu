using index_t = unsigned int;

/// Matrix product, one element a thread: C = A·B.
extern "C" __global__ void matmul(
    index_t inner,
    const float* __restrict__ a,
    index_t a_shape1,
    const float* __restrict__ b,
    index_t b_shape1,
    float* __restrict__ c,
    index_t c_shape1,
    index_t dim0,
    index_t dim1
) {
    for (index_t row = blockIdx.y * blockDim.y + threadIdx.y; row < dim0; row += gridDim.y * blockDim.y) {
        for (index_t column = blockIdx.x * blockDim.x + threadIdx.x; column < dim1; column += gridDim.x * blockDim.x) {
            float sum = 0.0f;
            for (index_t k = 0; k < inner; ++k) {
                sum += a[row * a_shape1 + k] * b[k * b_shape1 + column];
            }
            c[row * c_shape1 + column] = sum;
        }
    }
}
