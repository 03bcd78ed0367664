// The prelude of WGSL. `prelude.rs` explains the notation.

//@ add(any, any)
fn $name(a: $T, b: $T) -> $T { return $T($["+($C, $C)"(a#, b#)|, ]); }

//@ sub(any, any)
fn $name(a: $T, b: $T) -> $T { return $T($["-($C, $C)"(a#, b#)|, ]); }

//@ neg(any)
fn $name(a: $T) -> $T { return $T($["-($C)"(a#)|, ]); }

//@ mul(quat, quat)
fn $name(a: $T, b: $T) -> $T {
    return $T(
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
    );
}

//@ mul(quat, vec)
fn $name(q: $T, v: $1) -> $1 {
    let b = $1(q.x, q.y, q.z);
    return v * (q.w * q.w - "dot($1, $1)"(b, b)) + b * ("dot($1, $1)"(v, b) * 2.0$f)
        + "cross($1, $1)"(b, v) * (q.w * 2.0$f);
}

//@ mul(vec, vec)
fn $name(a: $T, b: $T) -> $T { return $T($[a# * b#|, ]); }

//@ mul(mat, vec)
fn $name(m: $T, v: $1) -> $C { return $fold["+($C, $C)"|"*($C, $S)"(m#, v@)]; }

//@ mul(mat, mat)
fn $name(a: $T, b: $1) -> $R { return $R($1["*($T, $D)"(a, b#)|, ]); }

//@ mul(any, scalar)
fn $name(a: $T, s: $S) -> $T { return $T($["*($C, $S)"(a#, s)|, ]); }

//@ mul(scalar, any)
fn $name(s: $S, a: $T) -> $T { return $T($["*($S, $C)"(s, a#)|, ]); }

//@ div(vec, vec)
fn $name(a: $T, b: $T) -> $T { return $T($[a# / b#|, ]); }

//@ div(any, scalar)
fn $name(a: $T, s: $S) -> $T { return $T($[a# / s|, ]); }

//@ strong_mul(float, float)
// The adjoint `g` times a derivative; nothing comes of an adjoint that is zero, whatever the derivative is.
fn $name(g: $T, d: $T) -> $T { return select(g * d, 0.0$f, g == 0.0$f); }

//@ strong_mul(vec, vec)
fn $name(g: $T, d: $T) -> $T { return $T($["strong_mul($S, $S)"(g#, d#)|, ]); }

//@ strong_mul(vec, mat)
fn $name(g: $T, d: $1) -> $R { return $R($1["strong_dot($T, $T)"(g, d#)|, ]); }

//@ strong_mul(mat, vec)
fn $name(g: $T, d: $1) -> $C { return $fold["+($C, $C)"|"strong_mul($C, $S)"(g#, d@)]; }

//@ strong_mul(mat, mat)
fn $name(g: $T, d: $1) -> $R { return $R($1["strong_mul($T, $D)"(g, d#)|, ]); }

//@ strong_mul(quat, quat)
fn $name(g: $T, d: $T) -> $T {
    return $T(
        "strong_mul($S, $S)"(g.w, d.x) + "strong_mul($S, $S)"(g.x, d.w) + "strong_mul($S, $S)"(g.y, d.z) - "strong_mul($S, $S)"(g.z, d.y),
        "strong_mul($S, $S)"(g.w, d.y) - "strong_mul($S, $S)"(g.x, d.z) + "strong_mul($S, $S)"(g.y, d.w) + "strong_mul($S, $S)"(g.z, d.x),
        "strong_mul($S, $S)"(g.w, d.z) + "strong_mul($S, $S)"(g.x, d.y) - "strong_mul($S, $S)"(g.y, d.x) + "strong_mul($S, $S)"(g.z, d.w),
        "strong_mul($S, $S)"(g.w, d.w) - "strong_mul($S, $S)"(g.x, d.x) - "strong_mul($S, $S)"(g.y, d.y) - "strong_mul($S, $S)"(g.z, d.z),
    );
}

//@ strong_mul(any, scalar)
fn $name(g: $T, d: $S) -> $T { return $T($["strong_mul($C, $S)"(g#, d)|, ]); }

//@ strong_mul(scalar, any)
fn $name(g: $S, d: $T) -> $T { return $T($["strong_mul($S, $C)"(g, d#)|, ]); }

//@ strong_div(float, float)
// The adjoint `g` by a number; nothing comes of an adjoint that is zero, whatever the number is.
fn $name(g: $T, d: $T) -> $T { return select(g / d, 0.0$f, g == 0.0$f); }

//@ strong_div(vec, vec)
fn $name(g: $T, d: $T) -> $T { return $T($["strong_div($S, $S)"(g#, d#)|, ]); }

//@ strong_div(any, scalar)
fn $name(g: $T, d: $S) -> $T { return $T($["strong_div($S, $S)"(g#, d)|, ]); }

//@ strong_dot(any, any)
fn $name(g: $T, d: $T) -> $S { return $["strong_mul($S, $S)"(g#, d#)| + ]; }

//@ strong_cross(vec3, vec3)
fn $name(g: $T, d: $T) -> $T {
    return $T(
        "strong_mul($S, $S)"(g.y, d.z) - "strong_mul($S, $S)"(g.z, d.y),
        "strong_mul($S, $S)"(g.z, d.x) - "strong_mul($S, $S)"(g.x, d.z),
        "strong_mul($S, $S)"(g.x, d.y) - "strong_mul($S, $S)"(g.y, d.x),
    );
}

//@ given(scalar)
// The value itself, which is no constant.
fn $name(x: $T) -> $T { return x; }

//@ nan() -> f32
// No constant of WGSL is NaN or infinite.
fn $name() -> f32 {
    var bits = 0x7fc00000u;
    return bitcast<f32>(bits);
}

//@ nan() -> f64
// No constant of WGSL is NaN or infinite.
fn $name() -> f64 {
    var bits = 0x7ff8000000000000lu;
    return bitcast<f64>(bits);
}

//@ infinity() -> f32
// No constant of WGSL is NaN or infinite.
fn $name() -> f32 {
    var bits = 0x7f800000u;
    return bitcast<f32>(bits);
}

//@ infinity() -> f64
// No constant of WGSL is NaN or infinite.
fn $name() -> f64 {
    var bits = 0x7ff0000000000000lu;
    return bitcast<f64>(bits);
}

//@ is_nan(f32)
// By bits: a compiler of WGSL may assume that no float is NaN.
fn $name(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }

//@ is_nan(f64)
// By bits: a compiler of WGSL may assume that no float is NaN.
fn $name(x: f64) -> bool { return (bitcast<u64>(x) & 0x7ffffffffffffffflu) > 0x7ff0000000000000lu; }

//@ is_finite(f32)
// By bits: a compiler of WGSL may assume that every float is finite.
fn $name(x: f32) -> bool { return (bitcast<u32>(x) & 0x7f800000u) != 0x7f800000u; }

//@ is_finite(f64)
// By bits: a compiler of WGSL may assume that every float is finite.
fn $name(x: f64) -> bool { return (bitcast<u64>(x) & 0x7ff0000000000000lu) != 0x7ff0000000000000lu; }

//@ choose(any, any) as choose_$t
fn $name(condition: bool, then: $T, other: $T) -> $T {
    if (condition) { return then; }
    return other;
}

//@ cast(f32) -> i32 as to_$r
// Towards zero; the nearest $R where out of range, 0 for NaN.
fn $name(x: f32) -> i32 {
    if ("is_nan(f32)"(x)) { return 0; }
    if (x >= 2147483648.0f) { return 2147483647; }
    if (x <= -2147483648.0f) { return i32(-2147483648); }
    return i32(x);
}

//@ cast(f64) -> i32 as to_$r_f64
// Towards zero; the nearest $R where out of range, 0 for NaN.
fn $name(x: f64) -> i32 {
    if ("is_nan(f64)"(x)) { return 0; }
    if (x >= 2147483647.0lf) { return 2147483647; }
    if (x <= -2147483648.0lf) { return i32(-2147483648); }
    return i32(x);
}

//@ cast(f32) -> u32 as to_$r
// Towards zero; the nearest $R where out of range, 0 for NaN.
fn $name(x: f32) -> u32 {
    if (!(x > 0.0f)) { return 0u; }
    if (x >= 4294967296.0f) { return 4294967295u; }
    return u32(x);
}

//@ cast(f64) -> u32 as to_$r_f64
// Towards zero; the nearest $R where out of range, 0 for NaN.
fn $name(x: f64) -> u32 {
    if (!(x > 0.0lf)) { return 0u; }
    if (x >= 4294967295.0lf) { return 4294967295u; }
    return u32(x);
}

//@ cast(f32) -> usize as to_usize
// Towards zero; the nearest u32 where out of range, 0 for NaN.
fn $name(x: f32) -> u32 {
    if (!(x > 0.0f)) { return 0u; }
    if (x >= 4294967296.0f) { return 4294967295u; }
    return u32(x);
}

//@ cast(f64) -> usize as to_usize_f64
// Towards zero; the nearest u32 where out of range, 0 for NaN.
fn $name(x: f64) -> u32 {
    if (!(x > 0.0lf)) { return 0u; }
    if (x >= 4294967295.0lf) { return 4294967295u; }
    return u32(x);
}

//@ cast(float) -> i64 as to_$r_$t
// Towards zero; the nearest $R where out of range, 0 for NaN.
fn $name(x: $T) -> i64 {
    if ("is_nan($T)"(x)) { return 0li; }
    if (x >= 9223372036854775808.0$f) { return 9223372036854775807li; }
    if (x <= -9223372036854775808.0$f) { return -9223372036854775807li - 1li; }
    return i64(x);
}

//@ cast(float) -> u64 as to_$r_$t
// Towards zero; the nearest $R where out of range, 0 for NaN.
fn $name(x: $T) -> u64 {
    if (!(x > 0.0$f)) { return 0lu; }
    if (x >= 18446744073709551616.0$f) { return 18446744073709551615lu; }
    return u64(x);
}

//@ cast(float) -> narrow as to_$r_$t
// Towards zero; the nearest value of the type where out of range, 0 for NaN.
fn $name(x: $T) -> $R {
    if ("is_nan($T)"(x)) { return $R(0); }
    if (x >= $T($MAX)) { return $MAX; }
    if (x <= $T($MIN)) { return $MIN; }
    return $R(x);
}

//@ saturating_sub(unsigned, unsigned)
fn $name(a: $T, b: $T) -> $T { return select(0$u, a - b, a > b); }

//@ saturating_sub(narrow, narrow)
fn $name(a: $T, b: $T) -> $T { return clamp(a - b, $MIN, $MAX); }

//@ saturating_sub(signed, signed)
fn $name(a: $T, b: $T) -> $T {
    if (b > 0$u) { return select(a - b, $MIN, a < $MIN + b); }
    return select(a - b, $MAX, a > $MAX + b);
}

//@ abs_diff(unsigned, unsigned)
fn $name(a: $T, b: $T) -> $T { return select(b - a, a - b, a > b); }

//@ pow(int, u32)
// By squaring.
fn $name(value: $T, exponent: u32) -> $T {
    var result = 1$u;
    var base = value;
    var n = exponent;
    while (true) {
        if ((n & 1u) != 0u) { result = result * base; }
        n = n >> 1u;
        if (n == 0u) { break; }
        base = base * base;
    }
    return result;
}

//@ count_ones(wide)
fn $name(x: $T) -> u32 { return countOneBits(u32(x & 0xffffffff$u)) + countOneBits(u32((x >> 32u) & 0xffffffff$u)); }

//@ count_ones(narrow)
fn $name(x: $T) -> u32 { return countOneBits(u32(x) & $MASK); }

//@ count_ones(int)
fn $name(x: $T) -> u32 { return countOneBits(u32(x)); }

//@ leading_zeros(wide)
fn $name(x: $T) -> u32 {
    let high = u32((x >> 32u) & 0xffffffff$u);
    if (high != 0u) { return countLeadingZeros(high); }
    return 32u + countLeadingZeros(u32(x & 0xffffffff$u));
}

//@ leading_zeros(narrow)
fn $name(x: $T) -> u32 { return countLeadingZeros(u32(x) & $MASK) - (32u - $Bu); }

//@ leading_zeros(int)
fn $name(x: $T) -> u32 { return countLeadingZeros(u32(x)); }

//@ trailing_zeros(wide)
fn $name(x: $T) -> u32 {
    let low = u32(x & 0xffffffff$u);
    if (low != 0u) { return countTrailingZeros(low); }
    return 32u + countTrailingZeros(u32((x >> 32u) & 0xffffffff$u));
}

//@ trailing_zeros(narrow)
fn $name(x: $T) -> u32 { return min(countTrailingZeros(u32(x)), $Bu); }

//@ trailing_zeros(int)
fn $name(x: $T) -> u32 { return countTrailingZeros(u32(x)); }

//@ rotate_left(narrow, u32)
fn $name(x: $T, n: u32) -> $T {
    let bits = u32(x) & $MASK;
    let turned = ((bits << (n % $Bu)) | (bits >> (($Bu - n % $Bu) % $Bu))) & $MASK;
    return extractBits($T(turned), 0u, $Bu);
}

//@ rotate_left(int, u32)
fn $name(x: $T, n: u32) -> $T {
    return $T(($U(x) << (n % $Bu)) | ($U(x) >> (($Bu - n % $Bu) % $Bu)));
}

//@ rotate_right(narrow, u32)
fn $name(x: $T, n: u32) -> $T {
    let bits = u32(x) & $MASK;
    let turned = ((bits >> (n % $Bu)) | (bits << (($Bu - n % $Bu) % $Bu))) & $MASK;
    return extractBits($T(turned), 0u, $Bu);
}

//@ rotate_right(int, u32)
fn $name(x: $T, n: u32) -> $T {
    return $T(($U(x) >> (n % $Bu)) | ($U(x) << (($Bu - n % $Bu) % $Bu)));
}

//@ min(vec, vec)
fn $name(a: $T, b: $T) -> $T { return $T($[select(b#, a#, a# < b#)|, ]); }

//@ max(vec, vec)
fn $name(a: $T, b: $T) -> $T { return $T($[select(b#, a#, a# > b#)|, ]); }

//@ min(wide, wide)
fn $name(a: $T, b: $T) -> $T { return select(b, a, a < b); }

//@ max(wide, wide)
fn $name(a: $T, b: $T) -> $T { return select(b, a, a > b); }

//@ min(int, int) as min

//@ max(int, int) as max

//@ fmin(float, float)
// The other operand, if one is NaN.
fn $name(a: $T, b: $T) -> $T { return select(b, a, a < b || "is_nan($T)"(b)); }

//@ fmax(float, float)
// The other operand, if one is NaN.
fn $name(a: $T, b: $T) -> $T { return select(b, a, a > b || "is_nan($T)"(b)); }

//@ clamp(scalar, scalar, scalar)
fn $name(x: $T, low: $T, high: $T) -> $T {
    if (x < low) { return low; }
    if (x > high) { return high; }
    return x;
}

//@ abs(wide)
fn $name(x: $T) -> $T { return select(x, -x, x < 0$u); }

//@ abs(signed) as abs

//@ abs(vec)
fn $name(a: $T) -> $T { return $T($[abs(a#)|, ]); }

//@ fabs(float) as abs

//@ copysign(f32, f32)
fn $name(x: f32, sign: f32) -> f32 {
    return bitcast<f32>((bitcast<u32>(x) & 0x7fffffffu) | (bitcast<u32>(sign) & 0x80000000u));
}

//@ copysign(f64, f64)
fn $name(x: f64, sign: f64) -> f64 {
    return bitcast<f64>((bitcast<u64>(x) & 0x7ffffffffffffffflu) | (bitcast<u64>(sign) & 0x8000000000000000lu));
}

//@ signum(float)
fn $name(x: $T) -> $T { return select("copysign($T, $T)"(1.0$f, x), x, "is_nan($T)"(x)); }

//@ signum(signed)
fn $name(x: $T) -> $T { return select(select(0$u, -1$u, x < 0$u), 1$u, x > 0$u); }

//@ fmod(float, float)
// By long division, of which every step is exact.
fn $name(x: $T, y: $T) -> $T {
    let least = abs(y);
    if (!"is_finite($T)"(x) || "is_nan($T)"(y) || least == 0.0$f) { return "nan() -> $T"(); }
    var rest = abs(x);
    if (rest < least) { return x; }
    var part = least;
    while (part <= rest * 0.5$f) { part = part + part; }
    while (part >= least) {
        if (rest >= part) { rest = rest - part; }
        part = part * 0.5$f;
    }
    return "copysign($T, $T)"(rest, x);
}

//@ rem_euclid(float, float)
fn $name(a: $T, b: $T) -> $T {
    let r = "fmod($T, $T)"(a, b);
    return select(r, r + abs(b), r < 0.0$f);
}

//@ rem_euclid(unsigned, unsigned)
fn $name(a: $T, b: $T) -> $T { return a % b; }

//@ rem_euclid(signed, signed)
fn $name(a: $T, b: $T) -> $T {
    let r = a % b;
    if (r >= 0$u) { return r; }
    return select(r + b, r - b, b < 0$u);
}

//@ floor(float) as floor

//@ ceil(float) as ceil

//@ trunc(f32) as trunc

//@ trunc(f64)
// On some processors a driver in software (Mesa 22.3) gives the argument back for `trunc` of f64.
fn $name(x: f64) -> f64 { return select(floor(x), ceil(x), x < 0.0lf); }

//@ sqrt(float) as sqrt

//@ split(float)
// The upper half of the digits of `x`.
fn $name(x: $T) -> $T {
    let shifted = x * $SPLIT;
    return shifted - (shifted - x);
}

//@ product_error(float, float, float)
// What the product of `a` and `b` lacks, by Dekker (1971).
fn $name(a: $T, b: $T, product: $T) -> $T {
    let a_high = "split($T)"(a);
    let b_high = "split($T)"(b);
    let a_low = a - a_high;
    let b_low = b - b_high;
    return ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
}

//@ sum_error(float, float, float)
// What the sum of `a` and `b` lacks, by Knuth.
fn $name(a: $T, b: $T, sum: $T) -> $T {
    let part = sum - a;
    return (a - (sum - part)) + (b - part);
}

//@ fma(float, float, float)
// Rounded once, as `fma` of WGSL need not be: the sum of the parts, rounded to odd before the last step (Boldo and
// Melquiond, 2008).
fn $name(a: $T, b: $T, c: $T) -> $T {
    let product = a * b;
    let error = "product_error($T, $T, $T)"(a, b, product);
    if (error == 0.0$f || !"is_finite($T)"(error) || !"is_finite($T)"(c)) { return product + c; }
    let low = c + error;
    let low_error = "sum_error($T, $T, $T)"(c, error, low);
    let high = product + low;
    let high_error = "sum_error($T, $T, $T)"(product, low, high);
    let rest = high_error + low_error;
    let lost = "sum_error($T, $T, $T)"(high_error, low_error, rest);
    var bits = bitcast<$U>(rest);
    if (lost != 0.0$f && (bits & $Uone) == $Uzero) {
        if ((lost > 0.0$f) == (rest > 0.0$f)) { bits = bits + $Uone; } else { bits = bits - $Uone; }
    }
    return high + bitcast<$T>(bits);
}

//@ round(float)
// Halves are rounded away from zero.
fn $name(x: $T) -> $T {
    let whole = "trunc($T)"(x);
    let away = whole + "copysign($T, $T)"(1.0$f, x);
    return select(whole, away, abs(x - whole) >= 0.5$f);
}

//@ fract(float)
fn $name(x: $T) -> $T { return x - "trunc($T)"(x); }

//@ recip(float)
fn $name(x: $T) -> $T { return 1.0$f / x; }

//@ powi(float, i32)
// By squaring.
fn $name(value: $T, exponent: i32) -> $T {
    var result = 1.0$f;
    var base = value;
    for (var n = exponent; n != 0; n = n / 2) {
        if (n % 2 != 0) { result = result * base; }
        base = base * base;
    }
    return select(result, 1.0$f / result, exponent < 0);
}

//@ to_radians(f32)
fn $name(x: f32) -> f32 { return x * 0.017453292f; }

//@ to_radians(f64)
fn $name(x: f64) -> f64 { return x * 0.017453292519943295lf; }

//@ to_degrees(f32)
fn $name(x: f32) -> f32 { return x * 57.29578f; }

//@ to_degrees(f64)
fn $name(x: f64) -> f64 { return x * 57.29577951308232lf; }

//@ splat(scalar) as splat_$r
fn $name(s: $0) -> $R { return $R($R[s|, ]); }

//@ from_diagonal(vec)
fn $name(d: $T) -> $R {
    var m = $R();
    for (var k = 0u; k < $partsu; k++) { m[k][k] = d[k]; }
    return m;
}

//@ randu(u32)
// The hash `pcg` of Jarzynski and Olano, Hash Functions for GPU Rendering, 2020.
fn $name(state: u32) -> u32 {
    let sum = state * 747796405u + 2891336453u;
    let word = ((sum >> ((sum >> 28u) + 4u)) ^ sum) * 277803737u;
    return (word >> 22u) ^ word;
}

//@ rand_init(i32, i32)
fn $name(seed: i32, offset: i32) -> u32 { return "randu(u32)"(u32(seed) + "randu(u32)"(u32(offset))); }

//@ rand_seed(i32)
fn $name(seed: i32) -> u32 { return "randu(u32)"(u32(seed)); }

//@ randu_range(u32, u32, u32)
fn $name(state: u32, low: u32, high: u32) -> u32 { return "randu(u32)"(state) % (high - low) + low; }

//@ randi(u32)
fn $name(state: u32) -> i32 { return i32("randu(u32)"(state)); }

//@ randi_range(u32, i32, i32)
fn $name(state: u32, low: i32, high: i32) -> i32 {
    return i32("randu(u32)"(state) % (u32(high) - u32(low)) + u32(low));
}

//@ randf(u32)
fn $name(state: u32) -> f32 { return f32("randu(u32)"(state) >> 8u) * (1.0f / 16777216.0f); }

//@ randf_range(u32, f32, f32)
fn $name(state: u32, low: f32, high: f32) -> f32 { return (high - low) * "randf(u32)"(state) + low; }

//@ randn(u32)
// The transformation of Box and Muller.
fn $name(state: u32) -> f32 {
    return sqrt(-2.0f * "log(f32)"("randf(u32)"(state) + 5.96e-8f)) * "cos(f32)"(6.2831855f * "randf(u32)"("randu(u32)"(state)));
}

//@ outer(vec, vec)
fn $name(a: $T, b: $1) -> $R { return $R($1["*($T, $S)"(a, b#)|, ]); }

//@ skew(vec3)
fn $name(v: $T) -> $R {
    return $R($E(0.0$f, v.z, -v.y), $E(-v.z, 0.0$f, v.x), $E(v.y, -v.x, 0.0$f));
}

//@ extend(vec, scalar)
fn $name(v: $T, s: $S) -> $R { return $R(v, s); }

//@ truncate(vec3)
fn $name(v: $T) -> $R { return v.xy; }

//@ truncate(vec4)
fn $name(v: $T) -> $R { return v.xyz; }

//@ dot(any, any)
fn $name(a: $T, b: $T) -> $S { return $[a# * b#| + ]; }

//@ cross(vec3, vec3)
fn $name(a: $T, b: $T) -> $T {
    return $T(a.y * b.z - b.y * a.z, a.z * b.x - b.z * a.x, a.x * b.y - b.x * a.y);
}

//@ perp_dot(vec2, vec2)
fn $name(a: $T, b: $T) -> $S { return a.x * b.y - a.y * b.x; }

//@ length(any)
fn $name(v: $T) -> $S { return sqrt("dot($T, $T)"(v, v)); }

//@ length_squared(any)
fn $name(v: $T) -> $S { return "dot($T, $T)"(v, v); }

//@ distance(vec, vec)
fn $name(a: $T, b: $T) -> $S { return "length($T)"("-($T, $T)"(a, b)); }

//@ distance_squared(vec, vec)
fn $name(a: $T, b: $T) -> $S { return "length_squared($T)"("-($T, $T)"(a, b)); }

//@ normalize(any)
fn $name(v: $T) -> $T { return "*($T, $S)"(v, 1.0$f / "length($T)"(v)); }

//@ normalize_or_zero(vec)
fn $name(v: $T) -> $T {
    let length = "length($T)"(v);
    if (length > 0.0$f) { return "/($T, $S)"(v, length); }
    return $T();
}

//@ lerp(vec, vec, scalar)
fn $name(a: $T, b: $T, s: $S) -> $T { return "+($T, $T)"("*($T, $S)"(a, 1.0$f - s), "*($T, $S)"(b, s)); }

//@ reflect(vec, vec)
fn $name(v: $T, normal: $T) -> $T { return v - 2.0$f * "dot($T, $T)"(v, normal) * normal; }

//@ min_element(vec)
fn $name(v: $T) -> $S {
    var least = v[$partsu - 1u];
    for (var k = $partsu - 1u; k > 0u; k--) { least = select(least, v[k - 1u], v[k - 1u] < least); }
    return least;
}

//@ max_element(vec)
fn $name(v: $T) -> $S {
    var most = v[$partsu - 1u];
    for (var k = $partsu - 1u; k > 0u; k--) { most = select(most, v[k - 1u], v[k - 1u] > most); }
    return most;
}

//@ element_sum(vec)
fn $name(v: $T) -> $S { return $[v#| + ]; }

//@ element_product(vec)
fn $name(v: $T) -> $S { return $[v#| * ]; }

//@ row(mat, usize)
fn $name(m: $T, k: u32) -> $R { return $R($[m#[k]|, ]); }

//@ transpose(mat)
fn $name(m: $T) -> $R {
    var t = $R();
    for (var j = 0u; j < $partsu; j++) {
        for (var i = 0u; i < $rowsu; i++) { t[i][j] = m[j][i]; }
    }
    return t;
}

//@ trace(mat)
fn $name(m: $T) -> $S {
    var sum = m[0][0];
    for (var k = 1u; k < $partsu; k++) { sum = sum + m[k][k]; }
    return sum;
}

//@ determinant(mat2)
fn $name(m: $T) -> $S { return m[0].x * m[1].y - m[0].y * m[1].x; }

//@ determinant(mat3)
fn $name(m: $T) -> $S { return "dot($C, $C)"(m[0], "cross($C, $C)"(m[1], m[2])); }

//@ determinant(mat4)
fn $name(m: $T) -> $S {
    let a = m[0];
    let b = m[1];
    let c = m[2];
    let d = m[3];
    // The minors of the last two columns, named for their rows.
    let zw = c.z * d.w - c.w * d.z;
    let yw = c.y * d.w - c.w * d.y;
    let yz = c.y * d.z - c.z * d.y;
    let xw = c.x * d.w - c.w * d.x;
    let xz = c.x * d.z - c.z * d.x;
    let xy = c.x * d.y - c.y * d.x;
    return a.x * (b.y * zw - b.z * yw + b.w * yz) - a.y * (b.x * zw - b.z * xw + b.w * xz)
        + a.z * (b.x * yw - b.y * xw + b.w * xy) - a.w * (b.x * yz - b.y * xz + b.z * xy);
}

//@ inverse(mat2)
fn $name(m: $T) -> $T {
    let r = 1.0$f / "determinant($T)"(m);
    return $T($C(m[1].y * r, m[0].y * -r), $C(m[1].x * -r, m[0].x * r));
}

//@ inverse(mat3)
fn $name(m: $T) -> $T {
    let yz = "cross($C, $C)"(m[1], m[2]);
    let zx = "cross($C, $C)"(m[2], m[0]);
    let xy = "cross($C, $C)"(m[0], m[1]);
    let r = 1.0$f / "dot($C, $C)"(m[0], yz);
    return "transpose($T)"($T(yz * r, zx * r, xy * r));
}

//@ inverse(mat4)
// The adjugate divided by the determinant.
fn $name(m: $T) -> $T {
    let a = m[0];
    let b = m[1];
    let c = m[2];
    let d = m[3];
    // The minors of two columns at a time, for each pair of rows.
    let zw = $C(c.z * d.w - d.z * c.w, c.z * d.w - d.z * c.w, b.z * d.w - d.z * b.w, b.z * c.w - c.z * b.w);
    let yw = $C(c.y * d.w - d.y * c.w, c.y * d.w - d.y * c.w, b.y * d.w - d.y * b.w, b.y * c.w - c.y * b.w);
    let yz = $C(c.y * d.z - d.y * c.z, c.y * d.z - d.y * c.z, b.y * d.z - d.y * b.z, b.y * c.z - c.y * b.z);
    let xw = $C(c.x * d.w - d.x * c.w, c.x * d.w - d.x * c.w, b.x * d.w - d.x * b.w, b.x * c.w - c.x * b.w);
    let xz = $C(c.x * d.z - d.x * c.z, c.x * d.z - d.x * c.z, b.x * d.z - d.x * b.z, b.x * c.z - c.x * b.z);
    let xy = $C(c.x * d.y - d.x * c.y, c.x * d.y - d.x * c.y, b.x * d.y - d.x * b.y, b.x * c.y - c.x * b.y);
    let x = $C(b.x, a.x, a.x, a.x);
    let y = $C(b.y, a.y, a.y, a.y);
    let z = $C(b.z, a.z, a.z, a.z);
    let w = $C(b.w, a.w, a.w, a.w);
    let even = $C(1.0$f, -1.0$f, 1.0$f, -1.0$f);
    let odd = $C(-1.0$f, 1.0$f, -1.0$f, 1.0$f);
    let adjugate = $T(
        (y * zw - z * yw + w * yz) * even,
        (x * zw - z * xw + w * xz) * odd,
        (x * yw - y * xw + w * xy) * even,
        (x * yz - y * xz + z * xy) * odd,
    );
    let first_row = $C(adjugate[0].x, adjugate[1].x, adjugate[2].x, adjugate[3].x);
    return "*($T, $S)"(adjugate, 1.0$f / "element_sum($C)"(a * first_row));
}

//@ conjugate(quat)
fn $name(q: $T) -> $T { return $T(-q.x, -q.y, -q.z, q.w); }

//@ inverse(quat)
fn $name(q: $T) -> $T { return $T(-q.x, -q.y, -q.z, q.w); }

//@ scale(f32, i32)
// `x` times two to the power of `n`, in two factors that are normal numbers.
fn $name(x: f32, n: i32) -> f32 {
    let half = n >> 1u;
    return x * bitcast<f32>((half + 127) << 23u) * bitcast<f32>((n - half + 127) << 23u);
}

//@ exp_rest(f32)
// e raised to `r`, minus one, by the Taylor series; |r| is at most half of ln 2.
fn $name(r: f32) -> f32 {
    let q = 0.16666667f + r * (0.041666668f + r * (0.008333334f + r * (0.0013888889f + r * (0.0001984127f + r * 2.4801588e-5f))));
    return r + r * r * (0.5f + r * q);
}

//@ log_of_2(f32)
// The remainder of `x + low` by ln 2, the nearest multiple, and what the remainder lacks.
fn $name(x: f32, low: f32) -> vec3<f32> {
    let n = floor(x * 1.442695f + 0.5f);
    // ln 2 in two parts, the first of which has so few digits that its product with `n` is exact.
    let high = x - n * 0.693359375f;
    let part = n * -0.00021219444f - low;
    let r = high - part;
    return vec3<f32>(r, n, (high - r) - part);
}

//@ log_of_2(f64)
// The remainder of `x + low` by ln 2, the nearest multiple, and what the remainder lacks.
fn $name(x: f64, low: f64) -> vec3<f64> {
    let n = floor(x * 1.4426950408889634lf + 0.5lf);
    // ln 2 in two parts, the first of which has so few digits that its product with `n` is exact.
    let high = x - n * 0.6931471803691238lf;
    let part = n * 1.9082149292705877e-10lf - low;
    let r = high - part;
    return vec3<f64>(r, n, (high - r) - part);
}

//@ exp_sum(f32, f32)
// e raised to `x + low`. Functions of WGSL have no bound for their errors that suits gradients, so these are the text's own.
fn $name(x: f32, low: f32) -> f32 {
    if ("is_nan(f32)"(x)) { return x; }
    if (x > 89.0f) { return "infinity() -> f32"(); }
    if (x < -104.0f) { return 0.0f; }
    let parts = "log_of_2(f32)"(x, low);
    return "scale(f32, i32)"(1.0f + ("exp_rest(f32)"(parts.x) + parts.z), i32(parts.y));
}

//@ exp(float)
fn $name(x: $T) -> $T { return "exp_sum($T, $T)"(x, 0.0$f); }

//@ exp2(f32)
fn $name(x: f32) -> f32 {
    if ("is_nan(f32)"(x)) { return x; }
    if (x >= 128.0f) { return "infinity() -> f32"(); }
    if (x < -150.0f) { return 0.0f; }
    let n = floor(x + 0.5f);
    return "scale(f32, i32)"(1.0f + "exp_rest(f32)"((x - n) * 0.6931472f), i32(n));
}

//@ expm1(float)
fn $name(x: $T) -> $T {
    if (x == 0.0$f || "is_nan($T)"(x)) { return x; }
    if (x > 40.0$f) { return "exp($T)"(x); }
    if (x < -40.0$f) { return -1.0$f; }
    let parts = "log_of_2($T)"(x, 0.0$f);
    let rest = "exp_rest($T)"(parts.x) + parts.z;
    if (parts.y == 0.0$f) { return rest; }
    let power = "scale($T, i32)"(1.0$f, i32(parts.y));
    return power * rest + (power - 1.0$f);
}

//@ log_parts(f32)
// A positive, finite `x` as `m` times two to the power of `n`, as the vector of m - 1 and n; m is near 1.
fn $name(x: f32) -> vec2f {
    let is_small = x < 1.1754944e-38f;
    let bits = bitcast<i32>(select(x, x * 8388608.0f, is_small));
    // The square root of 1/2 is the smallest `m`.
    let n = (bits - 0x3f3504f3) >> 23u;
    let m = bitcast<f32>(bits - (n << 23u));
    return vec2f(m - 1.0f, f32(n) - select(0.0f, 23.0f, is_small));
}

//@ log_rest(f32)
// The logarithm of 1 + f, minus f, by the series in f / (2 + f).
fn $name(f: f32) -> f32 {
    let s = f / (2.0f + f);
    let z = s * s;
    let series = z * (0.6666667f + z * (0.4f + z * (0.2857143f + z * (0.22222222f + z * 0.18181819f))));
    let half_square = 0.5f * f * f;
    return s * (half_square + series) - half_square;
}

//@ is_logarithm(float)
// Whether the logarithm of `x` is an ordinary number.
fn $name(x: $T) -> bool { return x > 0.0$f && "is_finite($T)"(x); }

//@ log_limit(float)
// The logarithm of a number that is not positive, or not finite.
fn $name(x: $T) -> $T {
    if (x == 0.0$f) { return -"infinity() -> $T"(); }
    if (x < 0.0$f || "is_nan($T)"(x)) { return "nan() -> $T"(); }
    return x;
}

//@ log(f32)
fn $name(x: f32) -> f32 {
    if (!"is_logarithm(f32)"(x)) { return "log_limit(f32)"(x); }
    let parts = "log_parts(f32)"(x);
    return parts.y * 0.693359375f + (("log_rest(f32)"(parts.x) + parts.y * -0.00021219444f) + parts.x);
}

//@ log1p(float)
fn $name(x: $T) -> $T {
    let u = 1.0$f + x;
    if (u == 1.0$f) { return x; }
    if (!"is_logarithm($T)"(u)) { return "log_limit($T)"(u); }
    // The part of `x` that the sum has lost.
    return "log($T)"(u) + (x - (u - 1.0$f)) / u;
}

//@ log2(f32)
fn $name(x: f32) -> f32 {
    if (!"is_logarithm(f32)"(x)) { return "log_limit(f32)"(x); }
    let parts = "log_parts(f32)"(x);
    // The binary logarithm of e is 1.4375 and a small rest.
    let rest = "log_rest(f32)"(parts.x);
    return parts.y + (parts.x + ((parts.x + rest) * 0.0051950407f + (rest + 0.4375f * (parts.x + rest))));
}

//@ log10(f32)
fn $name(x: f32) -> f32 {
    if (!"is_logarithm(f32)"(x)) { return "log_limit(f32)"(x); }
    let parts = "log_parts(f32)"(x);
    let natural = parts.x + "log_rest(f32)"(parts.x);
    return parts.y * 0.30078125f + (parts.y * 0.00024874567f + natural * 0.4342945f);
}

//@ quarter(f32)
// An angle without whole quarters of a turn, the number of the quarter from 0 to 3, and what the angle lacks.
fn $name(x: f32) -> vec3<f32> {
    if (abs(x) > 10000.0f) { return "far_quarter(f32)"(x); }
    let n = floor(x * 0.63661975f + 0.5f);
    // Half of π in parts that have so few digits that their products with `n` are exact.
    let first = x - n * 1.5703125f;
    let second = n * -0.0004837513f;
    let sum = first + second;
    let third = n * -7.5495336e-8f;
    let high = sum + third;
    let lost = "sum_error(f32, f32, f32)"(first, second, sum) + "sum_error(f32, f32, f32)"(sum, third, high);
    let low = lost - n * 2.563344e-12f;
    let r = high + low;
    return vec3<f32>(r, n - 4.0f * floor(n * 0.25f), (high - r) + low);
}

//@ multiplied(u32, u32)
// The product of two integers, the low word first.
fn $name(a: u32, b: u32) -> vec2u {
    let low = (a & 0xffffu) * (b & 0xffffu);
    let middle = (a >> 16u) * (b & 0xffffu) + (low >> 16u);
    let other = (a & 0xffffu) * (b >> 16u) + (middle & 0xffffu);
    return vec2u((other << 16u) | (low & 0xffffu), (a >> 16u) * (b >> 16u) + (middle >> 16u) + (other >> 16u));
}

//@ far_quarter(f32)
// As `quarter`, for large angles: the product with the digits of 2/π that decide (Payne and Hanek, 1983).
fn $name(x: f32) -> vec3f {
    if (!"is_finite(f32)"(x)) { return vec3f("nan() -> f32"(), 0.0f, 0.0f); }
    let bits = bitcast<u32>(x);
    let mantissa = (bits & 0x7fffffu) | 0x800000u;
    // The number is the mantissa times two to the power of `exponent`, which is between -10 and 104.
    let exponent = i32((bits >> 23u) & 0xffu) - 150;
    let first = u32(exponent + 30);
    // Four words of the bits of 2/π behind the point, from the word with the first bit that decides.
    let at = first >> 5u;
    var words = vec4u(0u, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u);
    words = select(words, vec4u(0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u), at == 1u);
    words = select(words, vec4u(0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u), at == 2u);
    words = select(words, vec4u(0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u), at == 3u);
    words = select(words, vec4u(0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu), at >= 4u);
    // The bits from there on. A shift by 32 would be one by 0.
    let shift = first & 31u;
    let window = (words.xyz << vec3u(shift)) | ((words.yzw >> vec3u(1u)) >> vec3u(31u - shift));
    // The product modulo 2^96, of which the upper two bits are the number of the quarter.
    let third = "multiplied(u32, u32)"(window.z, mantissa);
    let second = "multiplied(u32, u32)"(window.y, mantissa);
    let middle = second.x + third.y;
    let high = window.x * mantissa + second.y + select(0u, 1u, middle < second.x);
    // To the nearest quarter.
    let rounded = high + 0x20000000u;
    var upper = (high << 2u) | (middle >> 30u);
    var lower = middle << 2u;
    let is_negative = (upper >> 31u) != 0u;
    if (is_negative) {
        upper = ~upper;
        lower = ~lower;
    }
    let zeros = countLeadingZeros(upper);
    let leading = select((upper << zeros) | (lower >> (32u - zeros)), upper, zeros == 0u);
    let fraction = f32(leading >> 8u) * bitcast<f32>((103u - zeros) << 23u) * 1.5707964f;
    let quarter = f32(rounded >> 30u);
    let angle = select(fraction, -fraction, is_negative);
    if (x < 0.0f) { return vec3f(-angle, f32((4u - (rounded >> 30u)) & 3u), 0.0f); }
    return vec3f(angle, quarter, 0.0f);
}

//@ sin_rest(f32)
fn $name(r: f32) -> f32 {
    let z = r * r;
    let q = -0.16666667f + z * (0.008333334f + z * (-0.0001984127f + z * (2.7557319e-6f + z * -2.5052108e-8f)));
    return r + r * z * q;
}

//@ cos_rest(f32)
fn $name(r: f32) -> f32 {
    let z = r * r;
    let q = 0.041666668f + z * (-0.0013888889f + z * (2.4801588e-5f + z * -2.755732e-7f));
    return 1.0f - (0.5f * z - z * z * q);
}

//@ sin(float)
fn $name(x: $T) -> $T {
    if (x == 0.0$f) { return x; }
    let turned = "quarter($T)"(x);
    let sine = "sin_rest($T)"(turned.x) + turned.z;
    let cosine = "cos_rest($T)"(turned.x) - turned.x * turned.z;
    let value = select(sine, cosine, turned.y == 1.0$f || turned.y == 3.0$f);
    return select(value, -value, turned.y >= 2.0$f);
}

//@ cos(float)
fn $name(x: $T) -> $T {
    let turned = "quarter($T)"(x);
    let sine = "sin_rest($T)"(turned.x) + turned.z;
    let cosine = "cos_rest($T)"(turned.x) - turned.x * turned.z;
    let value = select(cosine, sine, turned.y == 1.0$f || turned.y == 3.0$f);
    return select(value, -value, turned.y == 1.0$f || turned.y == 2.0$f);
}

//@ tan(float)
fn $name(x: $T) -> $T {
    if (x == 0.0$f) { return x; }
    let turned = "quarter($T)"(x);
    let sine = "sin_rest($T)"(turned.x) + turned.z;
    let cosine = "cos_rest($T)"(turned.x) - turned.x * turned.z;
    return select(sine / cosine, -cosine / sine, turned.y == 1.0$f || turned.y == 3.0$f);
}

//@ asin_rest(f32)
// The arc sine of `x`, for |x| up to 1/2, by the Taylor series.
fn $name(x: f32) -> f32 {
    let z = x * x;
    let upper = 0.013964844f + z * (0.011551847f + z * (0.009761609f + z * (0.0083903349f + z * 0.0073125259f)));
    let q = 0.16666667f + z * (0.075f + z * (0.044642857f + z * (0.030381944f + z * (0.022372159f + z * (0.017352764f + z * upper)))));
    return x + x * z * q;
}

//@ asin(f32)
fn $name(x: f32) -> f32 {
    let size = abs(x);
    if (!(size <= 1.0f)) { return "nan() -> f32"(); }
    if (size <= 0.5f) { return "asin_rest(f32)"(x); }
    let half = "asin_rest(f32)"(sqrt((1.0f - size) * 0.5f));
    return "copysign(f32, f32)"((1.5707964f - 2.0f * half) - 4.371139e-8f, x);
}

//@ acos(f32)
fn $name(x: f32) -> f32 {
    if (!(abs(x) <= 1.0f)) { return "nan() -> f32"(); }
    if (x > 0.5f) { return 2.0f * "asin_rest(f32)"(sqrt((1.0f - x) * 0.5f)); }
    if (x < -0.5f) { return (3.1415927f - 2.0f * "asin_rest(f32)"(sqrt((1.0f + x) * 0.5f))) - 8.742278e-8f; }
    return 1.5707964f - ("asin_rest(f32)"(x) + 4.371139e-8f);
}

//@ atan(f32)
fn $name(x: f32) -> f32 {
    if ("is_nan(f32)"(x)) { return x; }
    let size = abs(x);
    var t = size;
    var base = 0.0f;
    var low = 0.0f;
    // Towards multiples of an eighth of a turn.
    if (size > 2.4142137f) {
        t = -1.0f / size;
        base = 1.5707964f;
        low = -4.371139e-8f;
    } else if (size > 0.41421357f) {
        t = (size - 1.0f) / (size + 1.0f);
        base = 0.7853982f;
        low = -2.1855695e-8f;
    }
    let z = t * t;
    let upper = 0.11111111f + z * (-0.09090909f + z * (0.07692308f + z * (-0.06666667f + z * 0.05882353f)));
    let q = -0.33333334f + z * (0.2f + z * (-0.14285715f + z * upper));
    return "copysign(f32, f32)"(base + (t + (t * z * q + low)), x);
}

//@ atan2(f32, f32)
fn $name(y: f32, x: f32) -> f32 {
    if ("is_nan(f32)"(x) || "is_nan(f32)"(y)) { return "nan() -> f32"(); }
    let is_left = (bitcast<u32>(x) >> 31u) != 0u;
    var angle = 0.0f;
    if (y == 0.0f) {
        angle = 0.0f;
    } else if (abs(x) == abs(y)) {
        angle = 0.7853982f;
    } else if (x == 0.0f) {
        return "copysign(f32, f32)"(1.5707964f, y);
    } else {
        angle = "atan(f32)"(abs(y / x));
    }
    if (is_left) { angle = 3.1415927f - (angle + 8.742278e-8f); }
    return "copysign(f32, f32)"(angle, y);
}

//@ sinh(float)
fn $name(x: $T) -> $T {
    let size = abs(x);
    if (size > 88.0$f) {
        let root = "exp($T)"(0.5$f * size);
        return "copysign($T, $T)"(0.5$f * root * root, x);
    }
    let t = "expm1($T)"(size);
    return "copysign($T, $T)"(0.5$f * (t + t / (t + 1.0$f)), x);
}

//@ cosh(float)
fn $name(x: $T) -> $T {
    let size = abs(x);
    if (size > 88.0$f) {
        let root = "exp($T)"(0.5$f * size);
        return 0.5$f * root * root;
    }
    let t = "exp($T)"(size);
    return 0.5$f * t + 0.5$f / t;
}

//@ tanh(float)
fn $name(x: $T) -> $T {
    if ("is_nan($T)"(x)) { return x; }
    let size = abs(x);
    if (size > 22.0$f) { return "copysign($T, $T)"(1.0$f, x); }
    let t = "expm1($T)"(2.0$f * size);
    return "copysign($T, $T)"(t / (t + 2.0$f), x);
}

//@ cbrt(f32)
fn $name(x: f32) -> f32 {
    if (x == 0.0f || !"is_finite(f32)"(x)) { return x; }
    let is_small = abs(x) < 1.1754944e-38f;
    let size = select(abs(x), abs(x) * 16777216.0f, is_small);
    // A third of the exponent, then Newton's method.
    var root = bitcast<f32>(bitcast<u32>(size) / 3u + 709921077u);
    for (var k = 0; k < 4; k++) { root = root - (root * root * root - size) / (3.0f * root * root); }
    return "copysign(f32, f32)"(select(root, root * 0.00390625f, is_small), x);
}

//@ hypot(float, float)
fn $name(x: $T, y: $T) -> $T {
    let a = max(abs(x), abs(y));
    let b = min(abs(x), abs(y));
    if (!"is_finite($T)"(x) && !"is_nan($T)"(x)) { return abs(x); }
    if (!"is_finite($T)"(y) && !"is_nan($T)"(y)) { return abs(y); }
    if ("is_nan($T)"(x) || "is_nan($T)"(y)) { return "nan() -> $T"(); }
    if (a == 0.0$f) { return a; }
    let ratio = b / a;
    return a * sqrt(1.0$f + ratio * ratio);
}

//@ pow(f32, f32)
// By the logarithm in two floats, so that its error does not grow with the exponent.
fn $name(x: f32, y: f32) -> f32 {
    if (y == 0.0f || x == 1.0f) { return 1.0f; }
    if ("is_nan(f32)"(x) || "is_nan(f32)"(y)) { return "nan() -> f32"(); }
    let size = abs(x);
    let is_whole = y == trunc(y);
    let is_odd = is_whole && abs(y) < 16777216.0f && abs(y - 2.0f * trunc(0.5f * y)) == 1.0f;
    let is_minus = (bitcast<u32>(x) >> 31u) != 0u && is_odd;
    if (!"is_finite(f32)"(y)) {
        if (size == 1.0f) { return 1.0f; }
        return select(0.0f, "infinity() -> f32"(), (size > 1.0f) == (y > 0.0f));
    }
    if (size == 0.0f || !"is_finite(f32)"(x)) {
        let limit = select(0.0f, "infinity() -> f32"(), (size == 0.0f) == (y < 0.0f));
        return select(limit, -limit, is_minus);
    }
    if (x < 0.0f && !is_whole) { return "nan() -> f32"(); }
    let parts = "log_parts(f32)"(size);
    let f = parts.x;
    let n = parts.y;
    let divisor = 2.0f + f;
    let s = f / divisor;
    let back = s * divisor;
    // What the quotient lacks.
    let s_low = ((f - back) - "product_error(f32, f32, f32)"(s, divisor, back) - s * (f - (divisor - 2.0f))) / divisor;
    let z = s * s;
    let series = s * z * (0.6666667f + z * (0.4f + z * (0.2857143f + z * (0.22222222f + z * 0.18181819f))));
    // The sum of n times ln 2 and of twice `s`, then of what these lack.
    let a = n * 0.693359375f;
    let b = 2.0f * s;
    let high = a + b;
    let part = high - a;
    let low = (a - (high - part)) + (b - part) + (2.0f * s_low + series + n * -0.00021219444f);
    let sum = high + low;
    let rest = low - (sum - high);
    let product = y * sum;
    if (!"is_finite(f32)"(product) || abs(product) > 200.0f) {
        let limit = select(0.0f, "infinity() -> f32"(), product > 0.0f);
        return select(limit, -limit, is_minus);
    }
    let value = "exp_sum(f32, f32)"(product, "product_error(f32, f32, f32)"(y, sum, product) + y * rest);
    return select(value, -value, is_minus);
}

//@ scale(f64, i32)
// `x` times two to the power of `n`, in two factors that are normal numbers.
fn $name(x: f64, n: i32) -> f64 {
    let half = n >> 1u;
    return x * bitcast<f64>(u64(half + 1023) << 52u) * bitcast<f64>(u64(n - half + 1023) << 52u);
}

//@ exp_rest(f64)
// e raised to `r`, minus one, by the Taylor series; |r| is at most half of ln 2.
fn $name(r: f64) -> f64 {
    var series = 1.0lf;
    for (var k = 15; k > 2; k--) { series = 1.0lf + r * series / f64(k); }
    return r + r * r * (0.5lf * series);
}

//@ exp_sum(f64, f64)
// e raised to `x + low`. WGSL has no such function of `f64`.
fn $name(x: f64, low: f64) -> f64 {
    if ("is_nan(f64)"(x)) { return x; }
    if (x > 710.0lf) { return "infinity() -> f64"(); }
    if (x < -746.0lf) { return 0.0lf; }
    let parts = "log_of_2(f64)"(x, low);
    return "scale(f64, i32)"(1.0lf + ("exp_rest(f64)"(parts.x) + parts.z), i32(parts.y));
}

//@ exp2(f64)
fn $name(x: f64) -> f64 {
    if ("is_nan(f64)"(x)) { return x; }
    if (x >= 1024.0lf) { return "infinity() -> f64"(); }
    if (x < -1076.0lf) { return 0.0lf; }
    let n = floor(x + 0.5lf);
    return "scale(f64, i32)"(1.0lf + "exp_rest(f64)"((x - n) * 0.6931471805599453lf), i32(n));
}

//@ log_parts(f64)
// A positive, finite `x` as `m` times two to the power of `n`, as the vector of m - 1 and n; m is near 1.
fn $name(x: f64) -> vec2<f64> {
    let is_small = x < 2.2250738585072014e-308lf;
    let bits = bitcast<i64>(select(x, x * 18014398509481984.0lf, is_small));
    // The square root of 1/2 is the smallest `m`.
    let n = (bits - 0x3fe6a09e667f3bcdli) >> 52u;
    let m = bitcast<f64>(bits - (n << 52u));
    return vec2<f64>(m - 1.0lf, f64(n) - select(0.0lf, 54.0lf, is_small));
}

//@ log_series(f64)
// The series of the logarithm in s = f / (2 + f), without its first term, divided by s; `z` is the square of s.
fn $name(z: f64) -> f64 {
    var series = 0.0lf;
    for (var k = 12; k > 0; k--) { series = z * (2.0lf / f64(2 * k + 1) + series); }
    return series;
}

//@ log_rest(f64)
// The logarithm of 1 + f, minus f, by the series in f / (2 + f).
fn $name(f: f64) -> f64 {
    let s = f / (2.0lf + f);
    let half_square = 0.5lf * f * f;
    return s * (half_square + "log_series(f64)"(s * s)) - half_square;
}

//@ log(f64)
fn $name(x: f64) -> f64 {
    if (!"is_logarithm(f64)"(x)) { return "log_limit(f64)"(x); }
    let parts = "log_parts(f64)"(x);
    return parts.y * 0.6931471803691238lf + (("log_rest(f64)"(parts.x) + parts.y * 1.9082149292705877e-10lf) + parts.x);
}

//@ log2(f64)
fn $name(x: f64) -> f64 {
    if (!"is_logarithm(f64)"(x)) { return "log_limit(f64)"(x); }
    let parts = "log_parts(f64)"(x);
    return parts.y + (parts.x + "log_rest(f64)"(parts.x)) * 1.4426950408889634lf;
}

//@ log10(f64)
fn $name(x: f64) -> f64 {
    if (!"is_logarithm(f64)"(x)) { return "log_limit(f64)"(x); }
    let parts = "log_parts(f64)"(x);
    let natural = parts.x + "log_rest(f64)"(parts.x);
    return parts.y * 0.30102999566361177lf + (parts.y * 3.694239077158931e-13lf + natural * 0.4342944819032518lf);
}

//@ quarter(f64)
// An angle without whole quarters of a turn, the number of the quarter from 0 to 3, and what the angle lacks. Angles above a
// million lose digits.
fn $name(x: f64) -> vec3<f64> {
    let n = floor(x * 0.6366197723675814lf + 0.5lf);
    // Half of π in parts that have so few digits that their products with `n` are exact.
    let first = x - n * 1.5707963267341256lf;
    let second = n * -6.077100506303966e-11lf;
    let sum = first + second;
    let third = n * -2.0222662487111665e-21lf;
    let high = sum + third;
    let lost = "sum_error(f64, f64, f64)"(first, second, sum) + "sum_error(f64, f64, f64)"(sum, third, high);
    let low = lost - n * 8.4784276603689e-32lf;
    let r = high + low;
    return vec3<f64>(r, n - 4.0lf * floor(n * 0.25lf), (high - r) + low);
}

//@ sin_rest(f64)
fn $name(r: f64) -> f64 {
    let z = r * r;
    var series = 1.0lf;
    for (var k = 10; k > 1; k--) { series = 1.0lf - z * series / f64(2 * k * (2 * k + 1)); }
    return r - r * z * (series / 6.0lf);
}

//@ cos_rest(f64)
fn $name(r: f64) -> f64 {
    let z = r * r;
    var series = 1.0lf;
    for (var k = 10; k > 1; k--) { series = 1.0lf - z * series / f64(2 * k * (2 * k - 1)); }
    return 1.0lf - 0.5lf * z * series;
}

//@ asin_rest(f64)
// The arc sine of `x`, for |x| up to 1/2, by the Taylor series.
fn $name(x: f64) -> f64 {
    let z = x * x;
    var term = 1.0lf;
    var sum = 0.0lf;
    for (var k = 1; k < 27; k++) {
        term = term * z * f64(2 * k - 1) / f64(2 * k);
        sum = sum + term / f64(2 * k + 1);
    }
    return x + x * sum;
}

//@ asin(f64)
fn $name(x: f64) -> f64 {
    let size = abs(x);
    if (!(size <= 1.0lf)) { return "nan() -> f64"(); }
    if (size <= 0.5lf) { return "asin_rest(f64)"(x); }
    let half = "asin_rest(f64)"(sqrt((1.0lf - size) * 0.5lf));
    return "copysign(f64, f64)"((1.5707963267948966lf - 2.0lf * half) + 6.123233995736766e-17lf, x);
}

//@ acos(f64)
fn $name(x: f64) -> f64 {
    if (!(abs(x) <= 1.0lf)) { return "nan() -> f64"(); }
    if (x > 0.5lf) { return 2.0lf * "asin_rest(f64)"(sqrt((1.0lf - x) * 0.5lf)); }
    if (x < -0.5lf) {
        return (3.141592653589793lf - 2.0lf * "asin_rest(f64)"(sqrt((1.0lf + x) * 0.5lf))) + 1.2246467991473532e-16lf;
    }
    return 1.5707963267948966lf - ("asin_rest(f64)"(x) - 6.123233995736766e-17lf);
}

//@ atan(f64)
fn $name(x: f64) -> f64 {
    if ("is_nan(f64)"(x)) { return x; }
    let size = abs(x);
    var t = size;
    var base = 0.0lf;
    var low = 0.0lf;
    // Towards multiples of an eighth of a turn.
    if (size > 2.414213562373095lf) {
        t = -1.0lf / size;
        base = 1.5707963267948966lf;
        low = 6.123233995736766e-17lf;
    } else if (size > 0.41421356237309503lf) {
        t = (size - 1.0lf) / (size + 1.0lf);
        base = 0.7853981633974483lf;
        low = 3.061616997868383e-17lf;
    }
    let z = t * t;
    var series = 0.0lf;
    for (var k = 23; k > 0; k--) { series = z * (1.0lf / f64(2 * k + 1) - series); }
    return "copysign(f64, f64)"(base + (t - (t * series - low)), x);
}

//@ atan2(f64, f64)
fn $name(y: f64, x: f64) -> f64 {
    if ("is_nan(f64)"(x) || "is_nan(f64)"(y)) { return "nan() -> f64"(); }
    let is_left = (bitcast<u64>(x) >> 63u) != 0lu;
    var angle = 0.0lf;
    if (y == 0.0lf) {
        angle = 0.0lf;
    } else if (abs(x) == abs(y)) {
        angle = 0.7853981633974483lf;
    } else if (x == 0.0lf) {
        return "copysign(f64, f64)"(1.5707963267948966lf, y);
    } else {
        angle = "atan(f64)"(abs(y / x));
    }
    if (is_left) { angle = 3.141592653589793lf - (angle - 1.2246467991473532e-16lf); }
    return "copysign(f64, f64)"(angle, y);
}

//@ cbrt(f64)
fn $name(x: f64) -> f64 {
    if (x == 0.0lf || !"is_finite(f64)"(x)) { return x; }
    let is_small = abs(x) < 2.2250738585072014e-308lf;
    let size = select(abs(x), abs(x) * 18014398509481984.0lf, is_small);
    // A third of the exponent, then Newton's method.
    var root = bitcast<f64>(bitcast<u64>(size) / 3lu + 3071306043645493248lu);
    for (var k = 0; k < 5; k++) { root = root - (root * root * root - size) / (3.0lf * root * root); }
    return "copysign(f64, f64)"(select(root, root * 3.814697265625e-6lf, is_small), x);
}

//@ pow(f64, f64)
// By the logarithm in two floats, so that its error does not grow with the exponent.
fn $name(x: f64, y: f64) -> f64 {
    if (y == 0.0lf || x == 1.0lf) { return 1.0lf; }
    if ("is_nan(f64)"(x) || "is_nan(f64)"(y)) { return "nan() -> f64"(); }
    let size = abs(x);
    let is_whole = y == "trunc(f64)"(y);
    let is_odd = is_whole && abs(y) < 9007199254740992.0lf && abs(y - 2.0lf * "trunc(f64)"(0.5lf * y)) == 1.0lf;
    let is_minus = (bitcast<u64>(x) >> 63u) != 0lu && is_odd;
    if (!"is_finite(f64)"(y)) {
        if (size == 1.0lf) { return 1.0lf; }
        return select(0.0lf, "infinity() -> f64"(), (size > 1.0lf) == (y > 0.0lf));
    }
    if (size == 0.0lf || !"is_finite(f64)"(x)) {
        let limit = select(0.0lf, "infinity() -> f64"(), (size == 0.0lf) == (y < 0.0lf));
        return select(limit, -limit, is_minus);
    }
    if (x < 0.0lf && !is_whole) { return "nan() -> f64"(); }
    let parts = "log_parts(f64)"(size);
    let f = parts.x;
    let n = parts.y;
    let divisor = 2.0lf + f;
    let s = f / divisor;
    let back = s * divisor;
    // What the quotient lacks.
    let s_low = ((f - back) - "product_error(f64, f64, f64)"(s, divisor, back) - s * (f - (divisor - 2.0lf))) / divisor;
    // The sum of n times ln 2 and of twice `s`, then of what these lack.
    let a = n * 0.6931471803691238lf;
    let b = 2.0lf * s;
    let high = a + b;
    let part = high - a;
    let rest_of_s = 2.0lf * s_low + s * "log_series(f64)"(s * s) + n * 1.9082149292705877e-10lf;
    let low = (a - (high - part)) + (b - part) + rest_of_s;
    let sum = high + low;
    let rest = low - (sum - high);
    let product = y * sum;
    if (!"is_finite(f64)"(product) || abs(product) > 1500.0lf) {
        let limit = select(0.0lf, "infinity() -> f64"(), product > 0.0lf);
        return select(limit, -limit, is_minus);
    }
    let value = "exp_sum(f64, f64)"(product, "product_error(f64, f64, f64)"(y, sum, product) + y * rest);
    return select(value, -value, is_minus);
}

//@ value_of(f16) as value_of_f16
// The value of a float of 16 bits.
fn $name(bits: u32) -> f32 {
    let size = bits & 0x7fffu;
    // Below the normal numbers, the bits count the smallest number, 2^-24.
    let subnormal = bitcast<u32>(f32(size) * 5.9604645e-8f);
    let normal = (size << 13u) + select(0x70000000u, 0x38000000u, size < 0x7c00u);
    return bitcast<f32>(((bits & 0x8000u) << 16u) | select(normal, subnormal, size < 0x0400u));
}

//@ value_of(bf16) as value_of_bf16
// The value of the upper half of a float.
fn $name(bits: u32) -> f32 { return bitcast<f32>(bits << 16u); }

//@ bits_of(f16) as bits_of_f16
// The bits of the nearest float of 16 bits; of two, the even one.
fn $name(x: f32) -> u32 {
    let bits = bitcast<u32>(x);
    let sign = (bits >> 16u) & 0x8000u;
    let size = bits & 0x7fffffffu;
    if (size > 0x7f800000u) { return 0x7fffu; }
    // 65520 and more round to infinity.
    if (size >= 0x477ff000u) { return sign | 0x7c00u; }
    if (size >= 0x38800000u) { return sign | ((size - 0x38000000u + 0x0fffu + ((size >> 13u) & 1u)) >> 13u); }
    // Less than half of the smallest number.
    if (size < 0x33000000u) { return sign; }
    let digits = (size & 0x7fffffu) | 0x800000u;
    let shift = 126u - (size >> 23u);
    return sign | ((digits + (1u << (shift - 1u)) - 1u + ((digits >> shift) & 1u)) >> shift);
}

//@ bits_of(bf16) as bits_of_bf16
// The upper half of the bits, rounded to the nearest; of two, to the even one.
fn $name(x: f32) -> u32 {
    let bits = bitcast<u32>(x);
    if ((bits & 0x7fffffffu) > 0x7f800000u) { return 0x7fffu; }
    return (bits + 0x7fffu + ((bits >> 16u) & 1u)) >> 16u;
}

//@ rounded(f16) as rounded_to_f16
// The nearest value of a float of 16 bits.
fn $name(x: f32) -> f32 { return "value_of(f16)"("bits_of(f16)"(x)); }

//@ rounded(bf16) as rounded_to_bf16
// The nearest value of a float of 16 bits.
fn $name(x: f32) -> f32 { return "value_of(bf16)"("bits_of(bf16)"(x)); }
