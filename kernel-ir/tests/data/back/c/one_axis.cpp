using index_t = unsigned int;

/// y = a·x + y.
extern "C" void saxpy(float a, const float* __restrict__ x, float* __restrict__ y, index_t dim) {
    for (index_t i = 0; i < dim; ++i) {
        y[i] += a * x[i];
    }
}
