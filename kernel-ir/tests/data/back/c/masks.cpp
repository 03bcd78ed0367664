using index_t = unsigned int;

extern "C" void k(
    bool fixed,
    const float* __restrict__ x,
    bool* __restrict__ mask,
    bool* __restrict__ grid,
    index_t grid_shape1,
    unsigned int* __restrict__ out,
    index_t dim
) {
    for (index_t i = 0; i < dim; ++i) {
        mask[i] = x[i] > 0.0f || fixed;
        mask[i] = mask[i] && !grid[i * grid_shape1];
        mask[i] = mask[i] != true;
        grid[i * grid_shape1 + 1] = mask[i] == grid[i * grid_shape1];
        const bool kept = grid[i * grid_shape1 + 1];
        grid[i * grid_shape1] = false;
        if (mask[i] && kept) {
            out[i] = (unsigned int)mask[i] + 1u;
        }
    }
}
