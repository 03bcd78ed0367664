using index_t = unsigned int;

/// The first fault of a launch: 1 is an index out of bounds, 2 a NaN that is stored, 0 none.
struct weft_fault {
    int kind;
    unsigned int param, axis, unused;
    unsigned long long index, extent, thread[4];
};

/// What watches over one thread.
struct weft_watch {
    weft_fault* fault;
    unsigned long long thread[4];

    __device__ void report(
        int kind, unsigned int param, unsigned int axis, unsigned long long index, unsigned long long extent
    ) const {
        // Whoever is first writes; the rest of the record is read when the launch is over.
        if (atomicCAS(&fault->kind, 0, kind) == 0) {
            fault->param = param;
            fault->axis = axis;
            fault->index = index;
            fault->extent = extent;
            for (int k = 0; k < 4; ++k) fault->thread[k] = thread[k];
        }
    }

    /// An index within bounds: the one asked for, or 0, which is memory of the array even where it is empty.
    __device__ index_t at(unsigned int param, unsigned int axis, index_t index, index_t extent) const {
        if (index < extent) return index;
        report(1, param, axis, index, extent);
        return 0;
    }

    /// Looks at what was stored.
    template <class T> __device__ void stored(unsigned int param, const T* scalars, int count) const {
        for (int k = 0; k < count; ++k) {
            if (scalars[k] != scalars[k]) report(2, param, 0, 0, 0);
        }
    }
};

extern "C" __global__ void __launch_bounds__(64) sums(
    const float* __restrict__ x,
    index_t x_len,
    float* sums_1,
    index_t sums_1_len,
    weft_fault* fault,
    index_t dim
) {
    for (index_t i = blockIdx.x; i < dim; i += gridDim.x) {
        const weft_watch watch = {fault, {i}};
        float acc = {};
        __shared__ float line[64];
        {
            const index_t t = threadIdx.x;
            acc = x[watch.at(0, 0, i * 64 + t, x_len)];
        }
        {
            const index_t t = threadIdx.x;
            line[watch.at(~0u, 0, t, 64)] = acc;
        }
        __syncthreads();
        index_t half = 32;
        while (half > 0) {
            {
                const index_t t = threadIdx.x;
                if (t < half) {
                    line[watch.at(~0u, 0, t, 64)] += line[watch.at(~0u, 0, t + half, 64)];
                }
            }
            __syncthreads();
            half /= 2;
        }
        if (threadIdx.x == 0) {
            sums_1[watch.at(1, 0, i, sums_1_len)] = line[0];
            watch.stored(1, (const float*)&sums_1[watch.at(1, 0, i, sums_1_len)], 1);
        }
        __syncthreads();
    }
}
