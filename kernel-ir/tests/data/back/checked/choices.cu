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

static __device__ float before(
    const float* __restrict__ x,
    index_t x_len,
    index_t i,
    unsigned int x_number,
    const weft_watch& watch
) {
    return i == 0 ? 0.0f : x[watch.at(x_number, 0, i - 1, x_len)];
}

extern "C" __global__ void k(
    const float* __restrict__ x,
    index_t x_len,
    index_t n,
    float* __restrict__ y,
    index_t y_len,
    weft_fault* fault,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        const weft_watch watch = {fault, {i}};
        y[watch.at(2, 0, i, y_len)] = i < n || i == 7
            ? (x[watch.at(0, 0, i, x_len)] > 0.0f ? before(x, x_len, i, 0, watch) : x[watch.at(0, 0, i + 1, x_len)])
            : 1.0f;
        watch.stored(2, (const float*)&y[watch.at(2, 0, i, y_len)], 1);
    }
}
