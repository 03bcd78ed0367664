using index_t = unsigned int;

extern "C" __global__ void transpose_add(
    const double* __restrict__ m,
    index_t m_shape0,
    index_t m_shape1,
    double* __restrict__ out,
    index_t out_shape1,
    index_t dim0,
    index_t dim1
) {
    for (index_t i = blockIdx.y * blockDim.y + threadIdx.y; i < dim0; i += gridDim.y * blockDim.y) {
        for (index_t j = blockIdx.x * blockDim.x + threadIdx.x; j < dim1; j += gridDim.x * blockDim.x) {
            if (j >= m_shape0 || i == j) {
                continue;
            }
            out[i * out_shape1 + j] = m[i * m_shape1 + j] + m[j * m_shape1 + i];
        }
    }
}
