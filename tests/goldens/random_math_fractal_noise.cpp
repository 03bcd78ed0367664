#include <cmath>

using index_t = unsigned int;

struct vec2 {
    float x, y;
};

// Towards zero; the nearest int where out of range, 0 for NaN.
inline int to_i32(float x) {
    if (x != x) return 0;
    return x >= (float)2147483647 ? 2147483647 : x <= (float)(-2147483647 - 1) ? (-2147483647 - 1) : (int)x;
}

inline vec2 operator*(vec2 a, float s) { return {a.x * s, a.y * s}; }
inline vec2& operator*=(vec2& a, float b) { return a = a * b; }

/// Smooth step from 0 at t = 0 to 1 at t = 1: t²·(3 − 2t).
static float smoothstep(float t) {
    return t * t * (3.0f - 2.0f * t);
}

/// The upper 24 bits of a hash as a number in [0, 1).
static float to_unit_interval(unsigned int hash) {
    return (float)(hash >> 8u) / 16777216.0f;
}

/// A hash of 32 bits: one congruential step, then a permutation of its bits (PCG).
static unsigned int pcg_hash(unsigned int key) {
    const unsigned int state = key * 747796405u + 2891336453u;
    const unsigned int word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return (word >> 22u) ^ word;
}

/// The value at a point of a grid, from its hash.
static float lattice_value(int column, int row, unsigned int seed) {
    return to_unit_interval(pcg_hash(pcg_hash((unsigned int)column ^ seed) ^ (unsigned int)row));
}

/// Smooth noise between the values of a grid of width 1.
static float lattice_noise(vec2 point, unsigned int seed) {
    const int column = to_i32(floorf(point.x));
    const int row = to_i32(floorf(point.y));
    const float right = smoothstep(point.x - floorf(point.x));
    const float up = smoothstep(point.y - floorf(point.y));
    const float below =
        lattice_value(column, row, seed) * (1.0f - right) + lattice_value(column + 1, row, seed) * right;
    const float above =
        lattice_value(column, row + 1, seed) * (1.0f - right) + lattice_value(column + 1, row + 1, seed) * right;
    return below * (1.0f - up) + above * up;
}

/// Fractal noise: octaves of smooth noise, each twice as fine and half as strong as the one before.
extern "C" void fractal_noise(
    int octaves,
    unsigned int seed,
    const vec2* __restrict__ points,
    float* __restrict__ noise,
    index_t dim
) {
    for (index_t i = 0; i < dim; ++i) {
        vec2 point = points[i];
        float strength = 0.5f;
        float sum = 0.0f;
        for (int octave = 0; octave < octaves; ++octave) {
            sum += strength * lattice_noise(point, seed + (unsigned int)octave);
            point *= 2.0f;
            strength *= 0.5f;
        }
        noise[i] = sum;
    }
}
