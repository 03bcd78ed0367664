#include <cmath>

using index_t = unsigned int;

struct vec3 {
    float x, y, z;
};

inline vec3 operator-(vec3 a, vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline vec3 operator*(vec3 a, float s) { return {a.x * s, a.y * s, a.z * s}; }
inline vec3 operator+(vec3 a, vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline vec3& operator+=(vec3& a, vec3 b) { return a = a + b; }

// Threads run one after the other here: nothing comes between the read and the write.
inline float atomic_add(float* p, float v) {
    const float old = *p;
    *p = old + v;
    return old;
}

inline float dot(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline float length_squared(vec3 v) { return dot(v, v); }

/// A light.
struct Light {
    vec3 at;
    float power;
};

/// A moving point.
struct Body {
    vec3 x;
    vec3 v;
    float mass;
    bool fixed;
};

extern "C" void steps(
    float dt,
    const Light* __restrict__ lights,
    index_t lights_len,
    Light sun,
    Body* __restrict__ bodies,
    float* __restrict__ energy,
    index_t dim
) {
    for (index_t i = 0; i < dim; ++i) {
        const Body body = bodies[i];
        if (body.fixed) {
            continue;
        }
        vec3 force = (sun.at - body.x) * sun.power;
        for (index_t k = 0; k < lights_len; ++k) {
            const Light light = lights[k];
            force += (light.at - body.x) * light.power;
        }
        bodies[i].v += force * (dt / body.mass);
        bodies[i].x += bodies[i].v * dt;
        bodies[i].x.y = fmaxf(bodies[i].x.y, 0.0f);
        atomic_add(&energy[0], 0.5f * bodies[i].mass * length_squared(bodies[i].v));
    }
}
