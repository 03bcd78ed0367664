#include <cmath>

using index_t = unsigned int;

struct vec3 {
    float x, y, z;
};

inline vec3 operator-(vec3 a, vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }

inline vec3 cross(vec3 a, vec3 b) {
    return {a.y * b.z - b.y * a.z, a.z * b.x - b.z * a.x, a.x * b.y - b.x * a.y};
}

inline float dot(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

/// Distance along each ray to a triangle by Möller and Trumbore's test, −1 where the ray misses it.
extern "C" void ray_triangle(
    vec3 a,
    vec3 b,
    vec3 c,
    const vec3* __restrict__ origin,
    const vec3* __restrict__ direction,
    float* __restrict__ hit,
    index_t dim
) {
    for (index_t i = 0; i < dim; ++i) {
        const vec3 edge1 = b - a;
        const vec3 edge2 = c - a;
        const vec3 normal = cross(direction[i], edge2);
        const float determinant = dot(edge1, normal);
        if (fabsf(determinant) < 0.001f) {
            hit[i] = -1.0f;
            continue;
        }
        const vec3 from_corner = origin[i] - a;
        const vec3 across = cross(from_corner, edge1);
        const float u = dot(from_corner, normal) / determinant;
        const float v = dot(direction[i], across) / determinant;
        const float t = dot(edge2, across) / determinant;
        const bool inside = u >= 0.0f && v >= 0.0f && u + v <= 1.0f;
        hit[i] = inside && t > 0.0f ? t : -1.0f;
    }
}
