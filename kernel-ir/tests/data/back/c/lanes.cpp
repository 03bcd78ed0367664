//- a sum of a warp
using index_t = unsigned int;

extern "C" void k(const float* __restrict__ x, float* y, index_t dim) {
    for (index_t i = 0; i < dim; ++i) {
        float v[64] = {};
        for (index_t t = 0; t < 64; ++t) {
            v[t] = x[i * 64 + t];
        }
        float sums[64] = {};
        for (index_t t = 0; t < 64; ++t) {
            sums[t] = v[t];
        }
        index_t step = 32 / 2;
        while (step > 0) {
            float other[64] = {};
            for (index_t t = 0; t < 64; ++t) {
                other[t] = sums[t / 32 * 32 + (t ^ step) % 32];
            }
            for (index_t t = 0; t < 64; ++t) {
                sums[t] = sums[t] + other[t];
            }
            step /= 2;
        }
        for (index_t t = 0; t < 64; ++t) {
            y[i * 64 + t] = sums[t / 8 * 8 + (t ^ 1) % 8];
        }
    }
}

//- lanes that the threads name, and votes by lanes of two
using index_t = unsigned int;

extern "C" void k(const double* __restrict__ x, double* y, unsigned int* bits, index_t dim) {
    for (index_t i = 0; i < dim; ++i) {
        const index_t lane = 1;
        double v[32] = {};
        for (index_t t = 0; t < 32; ++t) {
            v[t] = x[t];
        }
        index_t lane_1[32] = {};
        for (index_t t = 0; t < 32; ++t) {
            lane_1[t] = lane;
        }
        double first[32] = {};
        for (index_t t = 0; t < 32; ++t) {
            first[t] = v[t / 32 * 32 + lane_1[t] % 32];
        }
        bool is_large[32] = {};
        for (index_t t = 0; t < 32; ++t) {
            is_large[t] = v[t] > first[t];
        }
        unsigned int votes[32] = {};
        for (index_t t = 0; t < 32; ++t) {
            votes[t] = is_large[t] ? 1u << (unsigned int)(t % 32) : 0u;
        }
        index_t step = 32 / 2;
        while (step > 0) {
            unsigned int other[32] = {};
            for (index_t t = 0; t < 32; ++t) {
                other[t] = votes[t / 32 * 32 + (t ^ step) % 32];
            }
            for (index_t t = 0; t < 32; ++t) {
                votes[t] = votes[t] | other[t];
            }
            step /= 2;
        }
        bool any[32] = {};
        for (index_t t = 0; t < 32; ++t) {
            any[t] = is_large[t];
        }
        index_t step_1 = 2 / 2;
        while (step_1 > 0) {
            bool other[32] = {};
            for (index_t t = 0; t < 32; ++t) {
                other[t] = any[t / 2 * 2 + (t ^ step_1) % 2];
            }
            for (index_t t = 0; t < 32; ++t) {
                any[t] = any[t] || other[t];
            }
            step_1 /= 2;
        }
        for (index_t t = 0; t < 32; ++t) {
            y[t] = any[t] ? first[t] : 0.0;
            bits[t] = votes[t];
        }
    }
}

//- groups of a block without whole warps, a lane in a branch, and a value that the whole block reads
using index_t = unsigned int;

extern "C" void k(const float* __restrict__ x, float* y, index_t dim) {
    for (index_t i = 0; i < dim; ++i) {
        float a[48] = {};
        for (index_t t = 0; t < 48; ++t) {
            a[t] = x[i * 48 + t];
        }
        for (index_t t = 0; t < 48; ++t) {
            y[i * 48 + t] = a[t / 16 * 16 + (t ^ 1) % 16];
        }
    }
}

//- a lane in a branch, another in each trip of a loop, and one of vectors
using index_t = unsigned int;

struct vec3 {
    float x, y, z;
};

extern "C" void k(const vec3* __restrict__ x, float* y, index_t dim) {
    for (index_t i_1 = 0; i_1 < dim; ++i_1) {
        float a[32] = {};
        vec3 b[32] = {};
        float c[32] = {};
        for (index_t t = 0; t < 32; ++t) {
            a[t] = x[i_1 * 32 + t].x;
            b[t] = x[i_1 * 32 + t];
            c[t] = x[i_1 * 32 + t].y;
        }
        for (index_t t = 0; t < 32; ++t) {
            float s = b[t / 32 * 32 + (t ^ 1) % 32].z;
            if (s > 0.0f) {
                s = a[t / 32 * 32 + (t ^ 1) % 32];
            }
            for (index_t i = 0; i < t; ++i) {
                s += c[t / 32 * 32 + i % 32];
            }
            y[i_1 * 32 + t] = s;
        }
    }
}

//- lanes in the heads of loops, which threads evaluate differently often
using index_t = unsigned int;

extern "C" void k(const unsigned int* __restrict__ x, unsigned int* y, index_t dim) {
    for (index_t i_1 = 0; i_1 < dim; ++i_1) {
        unsigned int a[32] = {};
        unsigned int b[32] = {};
        for (index_t t = 0; t < 32; ++t) {
            a[t] = x[i_1 * 32 + t];
            b[t] = x[i_1 * 32 + t];
        }
        for (index_t t = 0; t < 32; ++t) {
            unsigned int s = 0u;
            while (s < a[t / 32 * 32 + (t ^ 1) % 32]) {
                s += 1u;
            }
            const unsigned int i_end = b[t / 32 * 32 + (t ^ 1) % 32];
            for (unsigned int i = 0u; i < i_end; ++i) {
                s += i;
            }
            y[i_1 * 32 + t] = s;
        }
    }
}
