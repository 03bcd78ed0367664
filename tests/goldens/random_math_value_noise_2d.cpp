#include <cmath>

using index_t = unsigned int;

struct vec2 {
    float x, y;
};

inline vec2 operator*(vec2 a, float s) { return {a.x * s, a.y * s}; }
inline vec2 operator-(vec2 a, vec2 b) { return {a.x - b.x, a.y - b.y}; }

// Towards zero; the nearest unsigned int where out of range, 0 for NaN.
inline unsigned int to_u32(float x) {
    if (!(x > 0)) return 0;
    return x >= (float)4294967295u ? 4294967295u : (unsigned int)x;
}

/// Value noise on an image of 2-D points `frequency` lattice cells apart: the random values at the four corners of
/// the cell around a point, weighted bilinearly.
extern "C" void value_noise_2d(
    unsigned int seed,
    float frequency,
    float* __restrict__ noise,
    index_t noise_shape1,
    index_t dim0,
    index_t dim1
) {
    for (index_t row = 0; row < dim0; ++row) {
        for (index_t column = 0; column < dim1; ++column) {
            const vec2 point = vec2{(float)column, (float)row} * frequency;
            const vec2 cell = vec2{floorf(point.x), floorf(point.y)};
            const vec2 t = point - cell;
            float value = 0.0f;
            for (unsigned int corner = 0u; corner < 4u; ++corner) {
                const unsigned int right = corner & 1u;
                const unsigned int below = corner >> 1u;
                const unsigned int x = to_u32(cell.x) + right;
                const unsigned int y = to_u32(cell.y) + below;
                unsigned int hash = seed ^ (x * 2376512323u) ^ (y * 3625334849u);
                hash = (hash ^ (hash >> 13u)) * 1540483477u;
                hash ^= hash >> 15u;
                const float weight_x = right == 1u ? t.x : 1.0f - t.x;
                const float weight_y = below == 1u ? t.y : 1.0f - t.y;
                value += weight_x * weight_y * ((float)(hash >> 8u) / 16777216.0f);
            }
            noise[row * noise_shape1 + column] = value;
        }
    }
}
