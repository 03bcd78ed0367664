//- an index into a part of an array, and a length that only checks need
using index_t = unsigned int;

extern "C" void k(
    const unsigned int* __restrict__ starts,
    const float* __restrict__ x,
    index_t x_len,
    float* __restrict__ y,
    index_t dim
) {
    for (index_t i = 0; i < dim; ++i) {
        const index_t s_start = (index_t)starts[i];
        y[i] = x[s_start + 2];
    }
}
