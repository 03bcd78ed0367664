using index_t = unsigned int;

extern "C" void fill(
    float* __restrict__ out,
    index_t out_shape1,
    index_t out_shape2,
    index_t out_shape3,
    index_t dim0,
    index_t dim1,
    index_t dim2,
    index_t dim3
) {
    for (index_t i = 0; i < dim0; ++i) {
        for (index_t j = 0; j < dim1; ++j) {
            for (index_t k = 0; k < dim2; ++k) {
                for (index_t l = 0; l < dim3; ++l) {
                    out[((i * out_shape1 + j) * out_shape2 + k) * out_shape3 + l] = -0.25f;
                }
            }
        }
    }
}
