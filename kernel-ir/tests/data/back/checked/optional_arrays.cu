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

extern "C" __global__ void k(
    const float* __restrict__ x,
    index_t x_len,
    const unsigned int* __restrict__ mask,
    index_t mask_len,
    const float* __restrict__ grid,
    index_t grid_shape0,
    index_t grid_shape1,
    float* __restrict__ y,
    index_t y_len,
    float* __restrict__ out,
    index_t out_len,
    float* __restrict__ loss,
    index_t loss_len,
    weft_fault* fault,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        const weft_watch watch = {fault, {i}};
        if (mask != nullptr && mask[watch.at(1, 0, i, mask_len)] != 0u) {
            continue;
        }
        const float w = grid != nullptr
            ? grid[watch.at(2, 0, i, grid_shape0) * grid_shape1 + watch.at(2, 1, 1, grid_shape1)]
            : 1.0f;
        const bool all = mask != nullptr && grid != nullptr;
        if (all == (out != nullptr)) {
            y[watch.at(3, 0, i, y_len)] = w;
            watch.stored(3, (const float*)&y[watch.at(3, 0, i, y_len)], 1);
        }
        if (out == nullptr) {
            y[watch.at(3, 0, i, y_len)] = x[watch.at(0, 0, i, x_len)];
            watch.stored(3, (const float*)&y[watch.at(3, 0, i, y_len)], 1);
            continue;
        }
        out[watch.at(4, 0, i, out_len)] = w * x[watch.at(0, 0, i, x_len)] + (float)out_len;
        watch.stored(4, (const float*)&out[watch.at(4, 0, i, out_len)], 1);
        if (loss != nullptr) {
            atomicAdd(&loss[watch.at(5, 0, 0, loss_len)], x[watch.at(0, 0, i, x_len)]);
            watch.stored(5, (const float*)&loss[watch.at(5, 0, 0, loss_len)], 1);
        }
    }
}
