using index_t = unsigned int;

struct vec3 {
    float x, y, z;
};

struct vec2ui {
    unsigned int x, y;
};

__device__ inline vec3 operator-(vec3 a, vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
__device__ inline float dot(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline float length(vec3 v) { return sqrtf(dot(v, v)); }
__device__ inline vec3 operator/(vec3 a, float s) { return {a.x / s, a.y / s, a.z / s}; }

__device__ inline vec3 normalize_or_zero(vec3 v) {
    const float l = length(v);
    return l > 0 ? v / l : vec3{};
}

__device__ inline vec3 operator*(vec3 a, float s) { return {a.x * s, a.y * s, a.z * s}; }

/// Springs between pairs of particles, damped along their axis: F = (k·(|d| − rest) + c·(v·d̂))·d̂, the force in N on
/// the first particle of each pair. `ends[i]` holds the two particle numbers of spring i.
extern "C" __global__ void spring_forces(
    float stiffness,
    float damping,
    const vec3* __restrict__ position,
    const vec3* __restrict__ velocity,
    const vec2ui* __restrict__ ends,
    const float* __restrict__ rest_length,
    vec3* __restrict__ force,
    index_t dim
) {
    for (index_t spring = blockIdx.x * blockDim.x + threadIdx.x; spring < dim; spring += gridDim.x * blockDim.x) {
        const index_t a = (index_t)ends[spring].x;
        const index_t b = (index_t)ends[spring].y;
        const vec3 offset = position[b] - position[a];
        const vec3 direction = normalize_or_zero(offset);
        const float stretch = length(offset) - rest_length[spring];
        const float closing_speed = dot(velocity[b] - velocity[a], direction);
        force[spring] = direction * (stiffness * stretch + damping * closing_speed);
    }
}
