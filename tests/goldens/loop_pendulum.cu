using index_t = unsigned int;

/// Symplectic Euler steps of a pendulum: v' = −k·sin(p), p' = v.
extern "C" __global__ void pendulum(
    float k,
    int steps,
    const float* __restrict__ start,
    float* __restrict__ end,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        float p = start[i];
        float v = 0.0f;
        for (int j = 0; j < steps; ++j) {
            v -= 0.01f * k * sinf(p);
            p += 0.01f * v;
        }
        end[i] = p;
    }
}
