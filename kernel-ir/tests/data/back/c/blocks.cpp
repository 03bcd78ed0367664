//- phases of registers and of shared arrays
using index_t = unsigned int;

extern "C" void sums(const float* __restrict__ x, float* sums_1, index_t dim) {
    for (index_t i = 0; i < dim; ++i) {
        float acc[64] = {};
        float line[64] = {};
        for (index_t t = 0; t < 64; ++t) {
            acc[t] = x[i * 64 + t];
        }
        for (index_t t = 0; t < 64; ++t) {
            line[t] = acc[t];
        }
        index_t half = 32;
        while (half > 0) {
            for (index_t t = 0; t < 64; ++t) {
                if (t < half) {
                    line[t] += line[t + half];
                }
            }
            half /= 2;
        }
        sums_1[i] = line[0];
    }
}

//- an array that begins with zeros, and what the whole block reads and writes
#include <cstdio>

using index_t = unsigned int;

// Threads run one after the other here: nothing comes between the read and the write.
inline unsigned int atomic_add(unsigned int* p, unsigned int v) {
    const unsigned int old = *p;
    *p = (unsigned int)((unsigned int)old + (unsigned int)v);
    return old;
}

/// What one thread does.
static void k_thread(index_t n, float* y, unsigned int* c, index_t i) {
    float near[40] = {};
    const float steady[2] = {1.0f, 2.0f};
    near[3] = y[i];
    for (index_t t = 0; t < 32; ++t) {
        near[t + 1] += steady[t % 2];
    }
    const float first = near[1];
    if (near[2] > first) {
        y[i] = first;
    } else {
        for (index_t t = 0; t < 32; ++t) {
            near[t] = 0.0f;
        }
    }
    while (near[n] < first) {
        for (index_t t = 0; t < 32; ++t) {
            near[t] += 1.0f;
        }
        if (y[n] > 3.0f) {
            return;
        }
    }
    atomic_add(&c[0], 1u);
    printf("%g\n", (double)first);
}

extern "C" void k(index_t n, float* y, unsigned int* c, index_t dim) {
    for (index_t i = 0; i < dim; ++i) {
        k_thread(n, y, c, i);
    }
}

//- atomic operations on what the block shares
#include <cmath>

using index_t = unsigned int;

// Threads run one after the other here: nothing comes between the read and the write.
inline unsigned int atomic_add(unsigned int* p, unsigned int v) {
    const unsigned int old = *p;
    *p = (unsigned int)((unsigned int)old + (unsigned int)v);
    return old;
}

// Threads run one after the other here: nothing comes between the read and the write.
inline float atomic_max(float* p, float v) {
    const float old = *p;
    *p = fmaxf(old, v);
    return old;
}

extern "C" void k(const unsigned int* __restrict__ n, unsigned int* c, float* f, index_t dim) {
    for (index_t i = 0; i < dim; ++i) {
        unsigned int bins[8] = {};
        float own[64] = {};
        for (index_t t = 0; t < 64; ++t) {
            const unsigned int old = atomic_add(&bins[(index_t)n[i * 64 + t]], 1u);
            atomic_max(&own[t], (float)old);
        }
        for (index_t t = 0; t < 64; ++t) {
            if (t < 8) {
                atomic_add(&c[t], bins[t]);
            }
            f[i] = own[t];
        }
    }
}
