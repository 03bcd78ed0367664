using index_t = unsigned int;

// Towards zero; the nearest index_t where out of range, 0 for NaN.
__device__ inline index_t to_usize(float x) {
    if (!(x > 0)) return 0;
    return x >= (float)(index_t)-1 ? (index_t)-1 : (index_t)x;
}

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

extern "C" __global__ void hop(float* __restrict__ y, index_t y_len, weft_fault* fault, index_t dim) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        const weft_watch watch = {fault, {i}};
        const float* const stored = &y[watch.at(0, 0, to_usize(y[watch.at(0, 0, 0, y_len)]), y_len)];
        y[watch.at(0, 0, to_usize(y[watch.at(0, 0, 0, y_len)]), y_len)] = 7.0f;
        watch.stored(0, (const float*)stored, 1);
        const float* const stored_1 = &y[watch.at(0, 0, to_usize(y[watch.at(0, 0, 1, y_len)]), y_len)];
        const float before = atomicAdd(&y[watch.at(0, 0, to_usize(y[watch.at(0, 0, 1, y_len)]), y_len)], 1.0f);
        watch.stored(0, (const float*)stored_1, 1);
        y[watch.at(0, 0, 0, y_len)] = before;
        watch.stored(0, (const float*)&y[watch.at(0, 0, 0, y_len)], 1);
    }
}
