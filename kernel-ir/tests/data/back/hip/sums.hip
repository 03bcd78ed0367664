#include <hip/hip_runtime.h>

using index_t = unsigned int;

struct vec3 {
    float x, y, z;
};

__device__ inline vec3 operator-(vec3 a, vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
__device__ inline vec3 operator*(vec3 a, float s) { return {a.x * s, a.y * s, a.z * s}; }
__device__ inline vec3 operator+(vec3 a, vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
__device__ inline vec3& operator+=(vec3& a, vec3 b) { return a = a + b; }
__device__ inline float dot(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline float length_squared(vec3 v) { return dot(v, v); }

/// Adds to `*p` what the threads of a block have, by one atomic operation: warps add up by shuffles, then the first
/// thread adds up the warps. All threads of the block come here.
__device__ inline void block_atomic_add(float* p, float v, unsigned int thread, unsigned int threads) {
    __shared__ float warps[32];
    const unsigned int lane = thread % warpSize;
    const unsigned int lanes = min(threads - (thread - lane), (unsigned int)warpSize);
    for (unsigned int step = warpSize / 2; step > 0; step /= 2) {
        const float other = __shfl_down(v, step);
        if (lane + step < lanes) v += other;
    }
    if (lane == 0) warps[thread / warpSize] = v;
    __syncthreads();
    if (thread == 0) {
        for (unsigned int warp = 1; warp * warpSize < threads; ++warp) v += warps[warp];
        if (v != 0) atomicAdd(p, v);
    }
    // The next sum is put in the same place.
    __syncthreads();
}

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

extern "C" __global__ void steps(
    float dt,
    const Light* __restrict__ lights,
    index_t lights_len,
    Light sun,
    Body* __restrict__ bodies,
    float* __restrict__ energy,
    index_t dim
) {
    float energy_sum = {};
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
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
        energy_sum += 0.5f * bodies[i].mass * length_squared(bodies[i].v);
    }
    block_atomic_add(&energy[0], energy_sum, threadIdx.x, blockDim.x);
}
