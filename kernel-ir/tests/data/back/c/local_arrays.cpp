//- first values, and none
using index_t = unsigned int;

struct vec3 {
    float x, y, z;

    float& operator[](index_t k) { return k == 0 ? x : k == 1 ? y : z; }
    float operator[](index_t k) const { return k == 0 ? x : k == 1 ? y : z; }
};

struct mat33 {
    vec3 x_axis, y_axis, z_axis;

    vec3& operator[](index_t k) { return k == 0 ? x_axis : k == 1 ? y_axis : z_axis; }
    vec3 operator[](index_t k) const { return k == 0 ? x_axis : k == 1 ? y_axis : z_axis; }
};

inline vec3 splat_vec3(float s) { return {s, s, s}; }

extern "C" void k(const float* __restrict__ x, float* __restrict__ y, index_t dim) {
    for (index_t i = 0; i < dim; ++i) {
        const float w[3] = {0.25f, x[i], 0.25f};
        vec3 v[2] = {splat_vec3(x[i]), vec3{x[i], 1.0f, 2.0f}};
        bool b[2] = {};
        b[0] = x[i] > 0.0f;
        b[1] = b[0];
        index_t count[2] = {};
        mat33 m[2] = {};
        for (index_t j = 0; j < 3; ++j) {
            count[j % 2] += 1;
            v[j % 2].x *= w[j];
            v[j % 2][j] -= w[j];
            m[j % 2][j] = v[0];
            m[1].y_axis.y += 1.0f;
        }
        if (b[count[0] % 2]) {
            y[i] = v[count[1] % 2].x + m[0].z_axis.x;
        }
    }
}
