using index_t = unsigned int;

// The hash `pcg` of Jarzynski and Olano, "Hash Functions for GPU Rendering" (2020).
__device__ inline unsigned int randu(unsigned int state) {
    const unsigned int sum = state * 747796405u + 2891336453u;
    const unsigned int word = ((sum >> ((sum >> 28) + 4)) ^ sum) * 277803737u;
    return (word >> 22) ^ word;
}

__device__ inline unsigned int rand_init(int seed, int offset) { return randu((unsigned int)seed + randu((unsigned int)offset)); }
__device__ inline float randf(unsigned int state) { return (float)(randu(state) >> 8) * (1.0f / 16777216.0f); }
__device__ inline float randf_range(unsigned int state, float low, float high) { return (high - low) * randf(state) + low; }

extern "C" __global__ void spread(int seed, float* __restrict__ x, index_t dim) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        x[i] = randf_range(rand_init(seed, (int)i), -1.0f, 1.0f);
    }
}
