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

static __device__ unsigned int steps(
    unsigned int start,
    const unsigned int* __restrict__ most,
    index_t most_len,
    unsigned int most_number,
    const weft_watch& watch
) {
    unsigned int n = start;
    unsigned int count = 0u;
    while (n != 1u && count < most[watch.at(most_number, 0, 0, most_len)]) {
        n = n % 2u == 0u ? n / 2u : 3u * n + 1u;
        count += 1u;
    }
    return count;
}

static __device__ unsigned int known(
    unsigned int n,
    const unsigned int* __restrict__ most,
    index_t most_len,
    unsigned int most_number,
    const weft_watch& watch
) {
    return n > 0u ? steps(n, most, most_len, most_number, watch) + 1u : 0u;
}

/// The side that is not chosen must not run its loop.
extern "C" __global__ void collatz(
    const unsigned int* __restrict__ n,
    index_t n_len,
    const unsigned int* __restrict__ most,
    index_t most_len,
    unsigned int* __restrict__ count,
    index_t count_len,
    weft_fault* fault,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        const weft_watch watch = {fault, {i}};
        const unsigned int other = n[watch.at(0, 0, i, n_len)] == 7u
            ? 0u
            : n[watch.at(0, 0, i, n_len)] > 7u
            ? steps(n[watch.at(0, 0, i, n_len)], most, most_len, 1, watch)
            : known(n[watch.at(0, 0, i, n_len)], most, most_len, 1, watch);
        count[watch.at(2, 0, i, count_len)] = other + steps(27u, most, most_len, 1, watch);
    }
}
