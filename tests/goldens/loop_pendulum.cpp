#include <cmath>

using index_t = unsigned int;

/// Symplectic Euler steps of a pendulum: v' = −k·sin(p), p' = v.
extern "C" void pendulum(
    float k,
    int steps,
    const float* __restrict__ start,
    float* __restrict__ end,
    index_t dim
) {
    for (index_t i = 0; i < dim; ++i) {
        float p = start[i];
        float v = 0.0f;
        for (int j = 0; j < steps; ++j) {
            v -= 0.01f * k * sinf(p);
            p += 0.01f * v;
        }
        end[i] = p;
    }
}
