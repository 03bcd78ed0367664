using index_t = unsigned int;

struct vec2 {
    float x, y;
};

inline vec2 operator-(vec2 a, vec2 b) { return {a.x - b.x, a.y - b.y}; }

extern "C" void vanish(const vec2* __restrict__ x, vec2* __restrict__ y, index_t dim) {
    for (index_t i = 0; i < dim; ++i) {
        vec2 v = x[i];
        v = v - v;
        y[i] = v;
    }
}
