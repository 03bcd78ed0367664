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

// The transformation of Box and Muller.
__device__ inline float randn(unsigned int state) {
    return sqrtf(-2.0f * logf(randf(state) + 5.96e-8f)) * cosf(6.2831855f * randf(randu(state)));
}

__device__ inline int randi_range(unsigned int state, int low, int high) {
    return (int)(randu(state) % ((unsigned int)high - (unsigned int)low) + (unsigned int)low);
}

__device__ inline unsigned int rand_seed(int seed) { return randu((unsigned int)seed); }
__device__ inline int randi(unsigned int state) { return (int)randu(state); }

extern "C" __global__ void random_(
    int seed,
    float* __restrict__ x,
    int* __restrict__ n,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        unsigned int rng = rand_init(seed, (int)i);
        const float a = randf(rng);
        rng = randu(rng);
        x[i] = randf_range(rng, -1.0f, a);
        rng = randu(rng);
        x[i] = randf_range(rng, -1.0f, (float)rng);
        rng = randu(rng);
        const float b = randn(rng);
        rng = randu(randu(rng));
        const float c = randn(rng);
        rng = randu(rng);
        n[i] = randi_range(rng, 0, 6);
        rng = randu(rng);
        n[i] += randi(randu(rand_seed(seed)));
        x[i] = b + c;
    }
}
