using index_t = unsigned int;

struct vec3d {
    double x, y, z;
};

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

struct Reading {
    unsigned char channel;
    float value;
    vec3d at;
};

extern "C" __global__ void k(
    Reading* __restrict__ readings,
    index_t readings_len,
    Reading new_,
    weft_fault* fault,
    index_t dim
) {
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
        const weft_watch watch = {fault, {i}};
        readings[watch.at(0, 0, i, readings_len)].channel = 255;
        watch.stored(0, (const float*)&readings[watch.at(0, 0, i, readings_len)].value, 1);
        watch.stored(0, (const double*)&readings[watch.at(0, 0, i, readings_len)].at, 3);
        readings[watch.at(0, 0, i, readings_len)] = new_;
        watch.stored(0, (const float*)&readings[watch.at(0, 0, i, readings_len)].value, 1);
        watch.stored(0, (const double*)&readings[watch.at(0, 0, i, readings_len)].at, 3);
    }
}
