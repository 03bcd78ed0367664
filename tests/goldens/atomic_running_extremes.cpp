using index_t = unsigned int;

// Threads run one after the other here: nothing comes between the read and the write.
inline int atomic_max(int* p, int v) {
    const int old = *p;
    *p = old > v ? old : v;
    return old;
}

// Threads run one after the other here: nothing comes between the read and the write.
inline int atomic_min(int* p, int v) {
    const int old = *p;
    *p = old < v ? old : v;
    return old;
}

/// Largest and smallest of all readings, in one element each that holds the extreme so far.
extern "C" void running_extremes(
    const int* __restrict__ readings,
    int* __restrict__ highest,
    int* __restrict__ lowest,
    index_t dim
) {
    for (index_t i = 0; i < dim; ++i) {
        atomic_max(&highest[0], readings[i]);
        atomic_min(&lowest[0], readings[i]);
    }
}
