using index_t = unsigned int;

struct vec3 {
    float x, y, z;

    __device__ float& operator[](index_t k) { return k == 0 ? x : k == 1 ? y : z; }
    __device__ float operator[](index_t k) const { return k == 0 ? x : k == 1 ? y : z; }
};

__device__ inline float dot(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline float length(vec3 v) { return sqrtf(dot(v, v)); }
__device__ inline vec3 operator*(float s, vec3 a) { return {s * a.x, s * a.y, s * a.z}; }
__device__ inline vec3 operator-(vec3 a, vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
__device__ inline vec3& operator-=(vec3& a, vec3 b) { return a = a - b; }

extern "C" __global__ void project(vec3 normal, vec3* __restrict__ v, index_t dim) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        const float length_ = length(v[i]);
        v[i] -= dot(v[i], normal) * normal;
        v[i].x *= length_;
        v[i][i % 3] += length_;
    }
}
