#include <cmath>

using index_t = unsigned int;

struct vec3 {
    float x, y, z;

    float& operator[](index_t k) { return k == 0 ? x : k == 1 ? y : z; }
    float operator[](index_t k) const { return k == 0 ? x : k == 1 ? y : z; }
};

inline float dot(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline float length(vec3 v) { return sqrtf(dot(v, v)); }
inline vec3 operator*(float s, vec3 a) { return {s * a.x, s * a.y, s * a.z}; }
inline vec3 operator-(vec3 a, vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline vec3& operator-=(vec3& a, vec3 b) { return a = a - b; }

extern "C" void project(vec3 normal, vec3* __restrict__ v, index_t dim) {
    for (index_t i = 0; i < dim; ++i) {
        const float length_ = length(v[i]);
        v[i] -= dot(v[i], normal) * normal;
        v[i].x *= length_;
        v[i][i % 3] += length_;
    }
}
