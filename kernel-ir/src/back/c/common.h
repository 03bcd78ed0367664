// The prelude that both dialects share. `prelude.rs` explains the notation.

//@ operator+(any, any): operator+($C, $C)
$fn $T operator+($T a, $T b) { return {$[a.# + b.#|, ]}; }

//@ operator-(any, any): operator-($C, $C)
$fn $T operator-($T a, $T b) { return {$[a.# - b.#|, ]}; }

//@ operator-(any): operator-($C)
$fn $T operator-($T a) { return {$[-a.#|, ]}; }

//@ operator*(vec, vec)
$fn $T operator*($T a, $T b) { return {$[a.# * b.#|, ]}; }

//@ operator*(any, scalar): operator*($C, $S)
$fn $T operator*($T a, $S s) { return {$[a.# * s|, ]}; }

//@ operator*(scalar, any): operator*($S, $C)
$fn $T operator*($S s, $T a) { return {$[s * a.#|, ]}; }

//@ operator*(mat, vec): operator*($C, $S), operator+($C, $C)
$fn $C operator*($T m, $1 v) { return $[m.# * v.@| + ]; }

//@ operator*(mat, mat): operator*($T, $D)
$fn $R operator*($T a, $1 b) { return {$1[a * b.#|, ]}; }

//@ operator*(quat, quat)
$fn $T operator*($T a, $T b) {
    return {
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
    };
}

//@ operator*(quat, vec): dot($1, $1), cross($1, $1), operator*($1, $S), operator+($1, $1)
$fn $1 operator*($T q, $1 v) {
    const $1 b = {q.x, q.y, q.z};
    return v * (q.w * q.w - dot(b, b)) + b * (dot(v, b) * 2.0$f) + cross(b, v) * (q.w * 2.0$f);
}

//@ operator/(any, scalar)
$fn $T operator/($T a, $S s) { return {$[a.# / s|, ]}; }

//@ operator/(vec, vec)
$fn $T operator/($T a, $T b) { return {$[a.# / b.#|, ]}; }

//@ strong_mul(float, float)
// The adjoint `g` times a derivative; nothing comes of an adjoint that is zero, whatever the derivative is.
$fn $T strong_mul($T g, $T d) { return g == 0 ? 0 : g * d; }

//@ strong_mul(vec, vec): strong_mul($S, $S)
$fn $T strong_mul($T g, $T d) { return {$[strong_mul(g.#, d.#)|, ]}; }

//@ strong_mul(any, scalar): strong_mul($C, $S)
$fn $T strong_mul($T g, $S d) { return {$[strong_mul(g.#, d)|, ]}; }

//@ strong_mul(scalar, any): strong_mul($S, $C)
$fn $T strong_mul($S g, $T d) { return {$[strong_mul(g, d.#)|, ]}; }

//@ strong_mul(vec, mat): strong_dot($T, $T)
$fn $R strong_mul($T g, $1 d) { return {$1[strong_dot(g, d.#)|, ]}; }

//@ strong_mul(mat, vec): strong_mul($C, $S), operator+($C, $C)
$fn $C strong_mul($T g, $1 d) { return $[strong_mul(g.#, d.@)| + ]; }

//@ strong_mul(mat, mat): strong_mul($T, $D)
$fn $R strong_mul($T g, $1 d) { return {$1[strong_mul(g, d.#)|, ]}; }

//@ strong_mul(quat, quat): strong_mul($S, $S)
$fn $T strong_mul($T g, $T d) {
    return {
        strong_mul(g.w, d.x) + strong_mul(g.x, d.w) + strong_mul(g.y, d.z) - strong_mul(g.z, d.y),
        strong_mul(g.w, d.y) - strong_mul(g.x, d.z) + strong_mul(g.y, d.w) + strong_mul(g.z, d.x),
        strong_mul(g.w, d.z) + strong_mul(g.x, d.y) - strong_mul(g.y, d.x) + strong_mul(g.z, d.w),
        strong_mul(g.w, d.w) - strong_mul(g.x, d.x) - strong_mul(g.y, d.y) - strong_mul(g.z, d.z),
    };
}

//@ strong_div(float, float)
// The adjoint `g` by a number; nothing comes of an adjoint that is zero, whatever the number is.
$fn $T strong_div($T g, $T d) { return g == 0 ? 0 : g / d; }

//@ strong_div(vec, vec): strong_div($S, $S)
$fn $T strong_div($T g, $T d) { return {$[strong_div(g.#, d.#)|, ]}; }

//@ strong_div(any, scalar): strong_div($S, $S)
$fn $T strong_div($T g, $S d) { return {$[strong_div(g.#, d)|, ]}; }

//@ strong_dot(any, any): strong_mul($S, $S)
$fn $S strong_dot($T g, $T d) { return $[strong_mul(g.#, d.#)| + ]; }

//@ strong_cross(vec3, vec3): strong_mul($S, $S)
$fn $T strong_cross($T g, $T d) {
    return {
        strong_mul(g.y, d.z) - strong_mul(g.z, d.y),
        strong_mul(g.z, d.x) - strong_mul(g.x, d.z),
        strong_mul(g.x, d.y) - strong_mul(g.y, d.x),
    };
}

//@ operator+=(any, any): operator+($0, $1)
$fn $0& operator+=($0& a, $1 b) { return a = a + b; }

//@ operator-=(any, any): operator-($0, $1)
$fn $0& operator-=($0& a, $1 b) { return a = a - b; }

//@ operator*=(any, any): operator*($0, $1)
$fn $0& operator*=($0& a, $1 b) { return a = a * b; }

//@ operator/=(any, any): operator/($0, $1)
$fn $0& operator/=($0& a, $1 b) { return a = a / b; }

//@ operator[](vec1)
    $device$S& operator[](index_t) { return x; }
    $device$S operator[](index_t) const { return x; }

//@ operator[](vec2)
    $device$S& operator[](index_t k) { return k == 0 ? x : y; }
    $device$S operator[](index_t k) const { return k == 0 ? x : y; }

//@ operator[](vec3)
    $device$S& operator[](index_t k) { return k == 0 ? x : k == 1 ? y : z; }
    $device$S operator[](index_t k) const { return k == 0 ? x : k == 1 ? y : z; }

//@ operator[](vec4)
    $device$S& operator[](index_t k) { return k == 0 ? x : k == 1 ? y : k == 2 ? z : w; }
    $device$S operator[](index_t k) const { return k == 0 ? x : k == 1 ? y : k == 2 ? z : w; }

//@ operator[](vec)
    $device$S& operator[](index_t k) { return v[k]; }
    $device$S operator[](index_t k) const { return v[k]; }

//@ operator[](columns1)
    $device$C& operator[](index_t) { return x_axis; }
    $device$C operator[](index_t) const { return x_axis; }

//@ operator[](columns2)
    $device$C& operator[](index_t k) { return k == 0 ? x_axis : y_axis; }
    $device$C operator[](index_t k) const { return k == 0 ? x_axis : y_axis; }

//@ operator[](columns3)
    $device$C& operator[](index_t k) { return k == 0 ? x_axis : k == 1 ? y_axis : z_axis; }
    $device$C operator[](index_t k) const { return k == 0 ? x_axis : k == 1 ? y_axis : z_axis; }

//@ operator[](columns4)
    $device$C& operator[](index_t k) { return k == 0 ? x_axis : k == 1 ? y_axis : k == 2 ? z_axis : w_axis; }
    $device$C operator[](index_t k) const { return k == 0 ? x_axis : k == 1 ? y_axis : k == 2 ? z_axis : w_axis; }

//@ operator[](mat)
    $device$C& operator[](index_t k) { return c[k]; }
    $device$C operator[](index_t k) const { return c[k]; }

//@ cast(float) -> signed as to_$r
// Towards zero; the nearest $R where out of range, 0 for NaN.
$fn $R $name($T x) {
    if (x != x) return 0;
    return x >= ($T)$MAX ? $MAX : x <= ($T)$MIN ? $MIN : ($R)x;
}

//@ cast(float) -> unsigned as to_$r
// Towards zero; the nearest $R where out of range, 0 for NaN.
$fn $R $name($T x) {
    if (!(x > 0)) return 0;
    return x >= ($T)$MAX ? $MAX : ($R)x;
}

//@ shl(signed, signed)
// The bits move as if unsigned: a negative value may be shifted.
$fn $T shl($T x, $T n) { return ($T)(($U)x << n); }

//@ wrapping_add(signed, signed)
$fn $T wrapping_add($T a, $T b) { return ($T)(($U)a + ($U)b); }

//@ wrapping_sub(signed, signed)
$fn $T wrapping_sub($T a, $T b) { return ($T)(($U)a - ($U)b); }

//@ wrapping_mul(narrow, narrow)
$fn $T wrapping_mul($T a, $T b) { return ($T)(a * b); }

//@ wrapping_mul(signed, signed)
$fn $T wrapping_mul($T a, $T b) { return ($T)(($U)a * ($U)b); }

//@ saturating_sub(unsigned, unsigned)
$fn $T saturating_sub($T a, $T b) { return a > b ? a - b : 0; }

//@ saturating_sub(signed, signed)
$fn $T saturating_sub($T a, $T b) {
    if (b > 0) return a < $MIN + b ? $MIN : a - b;
    return a > $MAX + b ? $MAX : a - b;
}

//@ abs_diff(unsigned, unsigned)
$fn $T abs_diff($T a, $T b) { return a > b ? a - b : b - a; }

//@ pow(int, u32) as ipow
// By squaring.
$fn $T ipow($T base, unsigned int exponent) {
    $T result = 1;
    while (true) {
        if (exponent & 1) result *= base;
        exponent >>= 1;
        if (exponent == 0) return result;
        base *= base;
    }
}

//@ rotate_left(int, u32)
$fn $T rotate_left($T x, unsigned int n) {
    return ($T)((($U)x << (n % $B)) | (($U)x >> (($B - n % $B) % $B)));
}

//@ rotate_right(int, u32)
$fn $T rotate_right($T x, unsigned int n) {
    return ($T)((($U)x >> (n % $B)) | (($U)x << (($B - n % $B) % $B)));
}

//@ min(vec, vec)
$fn $T min($T a, $T b) { return {$[a.# < b.# ? a.# : b.#|, ]}; }

//@ max(vec, vec)
$fn $T max($T a, $T b) { return {$[a.# > b.# ? a.# : b.#|, ]}; }

//@ clamp(scalar, scalar, scalar)
$fn $T clamp($T x, $T low, $T high) { return x < low ? low : x > high ? high : x; }

//@ abs(narrow)
$fn $T abs($T x) { return ($T)(x < 0 ? -x : x); }

//@ abs(fvec): <cmath>
$fn $T abs($T a) { return {$[fabs$f(a.#)|, ]}; }

//@ abs(vec)
$fn $T abs($T a) { return {$[a.# < 0 ? -a.# : a.#|, ]}; }

//@ signum(float): <cmath>
$fn $T signum($T x) { return x != x ? x : copysign$f(1.0$f, x); }

//@ signum(signed)
$fn $T signum($T x) { return (x > 0) - (x < 0); }

//@ rem_euclid(float, float): <cmath>
$fn $T rem_euclid($T a, $T b) {
    const $T r = fmod$f(a, b);
    return r < 0 ? r + fabs$f(b) : r;
}

//@ rem_euclid(unsigned, unsigned)
$fn $T rem_euclid($T a, $T b) { return a % b; }

//@ rem_euclid(signed, signed)
$fn $T rem_euclid($T a, $T b) {
    const $T r = a % b;
    return r >= 0 ? r : b < 0 ? r - b : r + b;
}

//@ is_nan(float)
$fn bool is_nan($T x) { return x != x; }

//@ is_finite(float)
$fn bool is_finite($T x) { return x - x == 0; }

//@ fract(float): <cmath>
$fn $T fract($T x) { return x - trunc$f(x); }

//@ recip(float)
$fn $T recip($T x) { return 1.0$f / x; }

//@ powi(float, i32)
// By squaring.
$fn $T powi($T base, int exponent) {
    $T result = 1;
    for (int n = exponent; n != 0; n /= 2) {
        if (n % 2 != 0) result *= base;
        base *= base;
    }
    return exponent < 0 ? 1 / result : result;
}

//@ to_radians(f32)
$fn float to_radians(float x) { return x * 0.017453292f; }

//@ to_radians(f64)
$fn double to_radians(double x) { return x * 0.017453292519943295; }

//@ to_degrees(f32)
$fn float to_degrees(float x) { return x * 57.29578f; }

//@ to_degrees(f64)
$fn double to_degrees(double x) { return x * 57.29577951308232; }

//@ splat(scalar) as splat_$t
$fn $T $name($S s) { return {$[s|, ]}; }

//@ from_diagonal(vec2)
$fn $R from_diagonal($T d) { return {{d.x, 0}, {0, d.y}}; }

//@ from_diagonal(vec3)
$fn $R from_diagonal($T d) { return {{d.x, 0, 0}, {0, d.y, 0}, {0, 0, d.z}}; }

//@ from_diagonal(vec4)
$fn $R from_diagonal($T d) { return {{d.x, 0, 0, 0}, {0, d.y, 0, 0}, {0, 0, d.z, 0}, {0, 0, 0, d.w}}; }

//@ from_diagonal(vec): operator[]($T), operator[]($R), operator[]($E)
$fn $R from_diagonal($T d) {
    $R m = {};
    for (index_t k = 0; k < $parts; k++) m[k][k] = d[k];
    return m;
}

//@ randu(u32)
// The hash `pcg` of Jarzynski and Olano, "Hash Functions for GPU Rendering" (2020).
$fn $T randu($T state) {
    const $T sum = state * 747796405u + 2891336453u;
    const $T word = ((sum >> ((sum >> 28) + 4)) ^ sum) * 277803737u;
    return (word >> 22) ^ word;
}

//@ rand_init(i32, i32): randu($R)
$fn $R rand_init($T seed, $T offset) { return randu(($R)seed + randu(($R)offset)); }

//@ rand_seed(i32): randu($R)
$fn $R rand_seed($T seed) { return randu(($R)seed); }

//@ randu_range(u32, u32, u32): randu($T)
$fn $T randu_range($T state, $T low, $T high) { return randu(state) % (high - low) + low; }

//@ randi(u32): randu($T)
$fn $R randi($T state) { return ($R)randu(state); }

//@ randi_range(u32, i32, i32): randu($T)
$fn $R randi_range($T state, $R low, $R high) {
    return ($R)(randu(state) % (($T)high - ($T)low) + ($T)low);
}

//@ randf(u32): randu($T)
$fn $R randf($T state) { return ($R)(randu(state) >> 8) * (1.0f / 16777216.0f); }

//@ randf_range(u32, f32, f32): randf($T)
$fn $R randf_range($T state, $R low, $R high) { return (high - low) * randf(state) + low; }

//@ randn(u32): randu($T), randf($T), <cmath>
// The transformation of Box and Muller.
$fn $R randn($T state) {
    return sqrtf(-2.0f * logf(randf(state) + 5.96e-8f)) * cosf(6.2831855f * randf(randu(state)));
}

//@ outer(vec, vec): operator*($T, $S)
$fn $R outer($T a, $1 b) { return {$1[a * b.#|, ]}; }

//@ skew(vec3)
$fn $R skew($T v) { return {{0, v.z, -v.y}, {-v.z, 0, v.x}, {v.y, -v.x, 0}}; }

//@ extend(vec, scalar)
$fn $R extend($T v, $S s) { return {$[v.#|, ], s}; }

//@ truncate(vec3)
$fn $R truncate($T v) { return {v.x, v.y}; }

//@ truncate(vec4)
$fn $R truncate($T v) { return {v.x, v.y, v.z}; }

//@ dot(any, any)
$fn $S dot($T a, $T b) { return $[a.# * b.#| + ]; }

//@ cross(vec3, vec3)
$fn $T cross($T a, $T b) {
    return {a.y * b.z - b.y * a.z, a.z * b.x - b.z * a.x, a.x * b.y - b.x * a.y};
}

//@ perp_dot(vec2, vec2)
$fn $S perp_dot($T a, $T b) { return a.x * b.y - a.y * b.x; }

//@ length(any): dot($T, $T), <cmath>
$fn $S length($T v) { return sqrt$f(dot(v, v)); }

//@ length_squared(any): dot($T, $T)
$fn $S length_squared($T v) { return dot(v, v); }

//@ distance(vec, vec): length($T), operator-($T, $T)
$fn $S distance($T a, $T b) { return length(a - b); }

//@ distance_squared(vec, vec): length_squared($T), operator-($T, $T)
$fn $S distance_squared($T a, $T b) { return length_squared(a - b); }

//@ normalize(any): length($T), operator*($T, $S)
$fn $T normalize($T v) { return v * (1.0$f / length(v)); }

//@ normalize_or_zero(vec): length($T), operator/($T, $S)
$fn $T normalize_or_zero($T v) {
    const $S l = length(v);
    return l > 0 ? v / l : $T{};
}

//@ lerp(vec, vec, scalar): operator*($T, $S), operator+($T, $T)
$fn $T lerp($T a, $T b, $S s) { return a * (1.0$f - s) + b * s; }

//@ reflect(vec, vec): dot($T, $T), operator*($S, $T), operator-($T, $T)
$fn $T reflect($T v, $T normal) { return v - 2.0$f * dot(v, normal) * normal; }

//@ min_element(vec2)
$fn $S min_element($T v) { return v.x < v.y ? v.x : v.y; }

//@ min_element(vec3)
$fn $S min_element($T v) {
    const $S yz = v.y < v.z ? v.y : v.z;
    return v.x < yz ? v.x : yz;
}

//@ min_element(vec4)
$fn $S min_element($T v) {
    const $S zw = v.z < v.w ? v.z : v.w;
    const $S yzw = v.y < zw ? v.y : zw;
    return v.x < yzw ? v.x : yzw;
}

//@ min_element(vec): operator[]($T)
$fn $S min_element($T v) {
    $S least = v[$parts - 1];
    for (index_t k = $parts - 1; k-- > 0;) least = v[k] < least ? v[k] : least;
    return least;
}

//@ max_element(vec2)
$fn $S max_element($T v) { return v.x > v.y ? v.x : v.y; }

//@ max_element(vec3)
$fn $S max_element($T v) {
    const $S yz = v.y > v.z ? v.y : v.z;
    return v.x > yz ? v.x : yz;
}

//@ max_element(vec4)
$fn $S max_element($T v) {
    const $S zw = v.z > v.w ? v.z : v.w;
    const $S yzw = v.y > zw ? v.y : zw;
    return v.x > yzw ? v.x : yzw;
}

//@ max_element(vec): operator[]($T)
$fn $S max_element($T v) {
    $S most = v[$parts - 1];
    for (index_t k = $parts - 1; k-- > 0;) most = v[k] > most ? v[k] : most;
    return most;
}

//@ element_sum(vec)
$fn $S element_sum($T v) { return $[v.#| + ]; }

//@ element_product(vec)
$fn $S element_product($T v) { return $[v.#| * ]; }

//@ row(mat, usize): operator[]($C)
$fn $R row($T m, index_t k) { return {$[m.#[k]|, ]}; }

//@ transpose(mat2)
$fn $T transpose($T m) { return {{$[m.#.x|, ]}, {$[m.#.y|, ]}}; }

//@ transpose(mat3)
$fn $T transpose($T m) {
    return {
        {$[m.#.x|, ]},
        {$[m.#.y|, ]},
        {$[m.#.z|, ]},
    };
}

//@ transpose(mat4)
$fn $T transpose($T m) {
    return {
        {$[m.#.x|, ]},
        {$[m.#.y|, ]},
        {$[m.#.z|, ]},
        {$[m.#.w|, ]},
    };
}

//@ transpose(mat): operator[]($T), operator[]($C), operator[]($R), operator[]($E)
$fn $R transpose($T m) {
    $R t;
    for (index_t j = 0; j < $parts; j++) {
        for (index_t i = 0; i < $rows; i++) t[i][j] = m[j][i];
    }
    return t;
}

//@ trace(mat2)
$fn $S trace($T m) { return m.x_axis.x + m.y_axis.y; }

//@ trace(mat3)
$fn $S trace($T m) { return m.x_axis.x + m.y_axis.y + m.z_axis.z; }

//@ trace(mat4)
$fn $S trace($T m) { return m.x_axis.x + m.y_axis.y + m.z_axis.z + m.w_axis.w; }

//@ trace(mat): operator[]($T), operator[]($C)
$fn $S trace($T m) {
    $S sum = m[0][0];
    for (index_t k = 1; k < $parts; k++) sum += m[k][k];
    return sum;
}

//@ determinant(mat2)
$fn $S determinant($T m) { return m.x_axis.x * m.y_axis.y - m.x_axis.y * m.y_axis.x; }

//@ determinant(mat3): dot($C, $C), cross($C, $C)
$fn $S determinant($T m) { return dot(m.x_axis, cross(m.y_axis, m.z_axis)); }

//@ determinant(mat4)
$fn $S determinant($T m) {
    const $C a = m.x_axis, b = m.y_axis, c = m.z_axis, d = m.w_axis;
    // The minors of the last two columns, named for their rows.
    const $S zw = c.z * d.w - c.w * d.z;
    const $S yw = c.y * d.w - c.w * d.y;
    const $S yz = c.y * d.z - c.z * d.y;
    const $S xw = c.x * d.w - c.w * d.x;
    const $S xz = c.x * d.z - c.z * d.x;
    const $S xy = c.x * d.y - c.y * d.x;
    return a.x * (b.y * zw - b.z * yw + b.w * yz) - a.y * (b.x * zw - b.z * xw + b.w * xz) +
           a.z * (b.x * yw - b.y * xw + b.w * xy) - a.w * (b.x * yz - b.y * xz + b.z * xy);
}

//@ inverse(mat2): determinant($T)
$fn $T inverse($T m) {
    const $S r = 1.0$f / determinant(m);
    return {{m.y_axis.y * r, m.x_axis.y * -r}, {m.y_axis.x * -r, m.x_axis.x * r}};
}

//@ inverse(mat3): dot($C, $C), cross($C, $C), operator*($C, $S), transpose($T)
$fn $T inverse($T m) {
    const $C yz = cross(m.y_axis, m.z_axis);
    const $C zx = cross(m.z_axis, m.x_axis);
    const $C xy = cross(m.x_axis, m.y_axis);
    const $S r = 1.0$f / dot(m.x_axis, yz);
    return transpose($T{yz * r, zx * r, xy * r});
}

//@ inverse(mat4): operator*($C, $C), operator*($C, $S), operator+($C, $C), operator-($C, $C), element_sum($C), operator*($T, $S)
// The adjugate divided by the determinant.
$fn $T inverse($T m) {
    const $C a = m.x_axis, b = m.y_axis, c = m.z_axis, d = m.w_axis;
    // The minors of two columns at a time, for each pair of rows.
    const $S cd_zw = c.z * d.w - d.z * c.w, bd_zw = b.z * d.w - d.z * b.w, bc_zw = b.z * c.w - c.z * b.w;
    const $S cd_yw = c.y * d.w - d.y * c.w, bd_yw = b.y * d.w - d.y * b.w, bc_yw = b.y * c.w - c.y * b.w;
    const $S cd_yz = c.y * d.z - d.y * c.z, bd_yz = b.y * d.z - d.y * b.z, bc_yz = b.y * c.z - c.y * b.z;
    const $S cd_xw = c.x * d.w - d.x * c.w, bd_xw = b.x * d.w - d.x * b.w, bc_xw = b.x * c.w - c.x * b.w;
    const $S cd_xz = c.x * d.z - d.x * c.z, bd_xz = b.x * d.z - d.x * b.z, bc_xz = b.x * c.z - c.x * b.z;
    const $S cd_xy = c.x * d.y - d.x * c.y, bd_xy = b.x * d.y - d.x * b.y, bc_xy = b.x * c.y - c.x * b.y;
    const $C zw = {cd_zw, cd_zw, bd_zw, bc_zw};
    const $C yw = {cd_yw, cd_yw, bd_yw, bc_yw};
    const $C yz = {cd_yz, cd_yz, bd_yz, bc_yz};
    const $C xw = {cd_xw, cd_xw, bd_xw, bc_xw};
    const $C xz = {cd_xz, cd_xz, bd_xz, bc_xz};
    const $C xy = {cd_xy, cd_xy, bd_xy, bc_xy};
    const $C x = {b.x, a.x, a.x, a.x};
    const $C y = {b.y, a.y, a.y, a.y};
    const $C z = {b.z, a.z, a.z, a.z};
    const $C w = {b.w, a.w, a.w, a.w};
    const $C even = {1, -1, 1, -1};
    const $C odd = {-1, 1, -1, 1};
    const $T adjugate = {
        (y * zw - z * yw + w * yz) * even,
        (x * zw - z * xw + w * xz) * odd,
        (x * yw - y * xw + w * xy) * even,
        (x * yz - y * xz + z * xy) * odd,
    };
    const $C first_row = {adjugate.x_axis.x, adjugate.y_axis.x, adjugate.z_axis.x, adjugate.w_axis.x};
    return adjugate * (1.0$f / element_sum(a * first_row));
}

//@ conjugate(quat)
$fn $T conjugate($T q) { return {-q.x, -q.y, -q.z, q.w}; }

//@ inverse(quat)
$fn $T inverse($T q) { return {-q.x, -q.y, -q.z, q.w}; }
