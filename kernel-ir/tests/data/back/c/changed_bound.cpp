using index_t = unsigned int;

// The bits move as if unsigned: a negative value may be shifted.
inline int shl(int x, int n) { return (int)((unsigned int)x << n); }

extern "C" void grow(int* __restrict__ out, index_t dim) {
    for (index_t i = 0; i < dim; ++i) {
        int n = 4;
        const int j_end = n;
        for (int j = 0; j < j_end; ++j) {
            n += 1;
        }
        while (n < 9) {
            n = shl(n, 1);
        }
        if (n < 0) {
            out[i] = 0;
        } else if (n > 99) {
            out[i] = 99;
        } else {
            out[i] = n;
        }
    }
}
