using index_t = unsigned int;

extern "C" void transpose_add(
    const double* __restrict__ m,
    index_t m_shape0,
    index_t m_shape1,
    double* __restrict__ out,
    index_t out_shape1,
    index_t dim0,
    index_t dim1
) {
    for (index_t i = 0; i < dim0; ++i) {
        for (index_t j = 0; j < dim1; ++j) {
            if (j >= m_shape0 || i == j) {
                continue;
            }
            out[i * out_shape1 + j] = m[i * m_shape1 + j] + m[j * m_shape1 + i];
        }
    }
}
