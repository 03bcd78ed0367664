//! Traps: operations on numbers.

use super::trap;
use kernel_rt::prelude::*;

/// Quotients go towards zero, remainders have the sign of the dividend.
#[kernel(family = "traps")]
fn signed_division(
    #[domain(-50..50)] a: &[i32],
    #[domain(1..9)] b: &[i32],
    quotient: &mut [i32],
    remainder: &mut [i32],
    #[domain(-50..50)] in_place: &mut [i32],
    constant: &mut [i32],
) {
    let i = tid();
    quotient[i] = a[i] / b[i];
    remainder[i] = a[i] % b[i];
    in_place[i] /= b[i];
    in_place[i] = in_place[i] * 100 + quotient[i] / 2;
    in_place[i] %= 7;
    constant[i] = -7 / 2 * 10 + -7 % 2 + a[i] / -4 + a[i] % -4;
}

#[test]
fn signed_division_goes_towards_zero() {
    let a = [7, -7, 7, -7, i32::MIN, i32::MIN, i32::MAX, -1, 0];
    let b = [2, 2, -2, -2, 2, 10, -1, 3, -5];
    let pairs: Vec<(i32, i32)> = a.into_iter().zip(b).collect();
    let in_place = [-7, 7, -40, 40, 3, -3, 100, -100, 0];
    let expected: Vec<i32> =
        pairs.iter().zip(in_place).map(|((a, b), old)| ((old / b) * 100 + a / b / 2) % 7).collect();
    trap("signed_division", a.len())
        .input(&a)
        .input(&b)
        .output(pairs.iter().map(|(a, b)| a / b).collect::<Vec<_>>())
        .output(pairs.iter().map(|(a, b)| a % b).collect::<Vec<_>>())
        .changes(&in_place, &expected)
        .output(a.map(|a| -31 + a / -4 + a % -4))
        .spring();
}

/// The same with 64 bits.
#[kernel(family = "traps")]
fn long_division(
    #[domain(-5000000000..5000000000)] a: &[i64],
    #[domain(1..9)] b: &[i64],
    quotient: &mut [i64],
    remainder: &mut [i64],
) {
    let i = tid();
    quotient[i] = a[i] / b[i];
    remainder[i] = a[i];
    remainder[i] %= b[i];
}

#[test]
fn long_division_goes_towards_zero() {
    let a = [7, -7, 7, -7, i64::MIN, -9000000000000000001];
    let b = [2, 2, -2, -2, 10, -1000000000];
    let pairs: Vec<(i64, i64)> = a.into_iter().zip(b).collect();
    trap("long_division", a.len())
        .input(&a)
        .input(&b)
        .output(pairs.iter().map(|(a, b)| a / b).collect::<Vec<_>>())
        .output(pairs.iter().map(|(a, b)| a % b).collect::<Vec<_>>())
        .spring();
}

/// Unsigned numbers with the highest bit set are large, not negative.
#[kernel(family = "traps")]
fn large_unsigned(
    #[domain(2000000000..4294967295)] a: &[u32],
    #[domain(1..4294967295)] b: &[u32],
    quotient: &mut [u32],
    remainder: &mut [u32],
    shifted: &mut [u32],
    wide: &mut [u64],
    less: &mut [i32],
) {
    let i = tid();
    quotient[i] = a[i] / b[i];
    remainder[i] = a[i] % b[i];
    shifted[i] = a[i] >> 3;
    wide[i] = (a[i] as u64 * b[i] as u64) / 3 + u64::MAX / 5;
    less[i] = if a[i] < b[i] { 1 } else { 0 };
}

#[test]
fn unsigned_numbers_are_never_negative() {
    let a = [u32::MAX, 1 << 31, 3000000000, 2147483647];
    let b = [2, 3, u32::MAX, 1 << 31];
    let pairs: Vec<(u32, u32)> = a.into_iter().zip(b).collect();
    trap("large_unsigned", a.len())
        .input(&a)
        .input(&b)
        .output(pairs.iter().map(|(a, b)| a / b).collect::<Vec<_>>())
        .output(pairs.iter().map(|(a, b)| a % b).collect::<Vec<_>>())
        .output(a.map(|a| a >> 3))
        .output(pairs.iter().map(|(a, b)| u64::from(*a) * u64::from(*b) / 3 + u64::MAX / 5).collect::<Vec<_>>())
        .output(pairs.iter().map(|(a, b)| i32::from(a < b)).collect::<Vec<_>>())
        .spring();
}

/// Differences of unsigned numbers, where a test says that they exist.
#[kernel(family = "traps")]
fn unsigned_difference(
    #[domain(0..9)] a: &[u32],
    #[domain(0..9)] b: &[u32],
    difference: &mut [u32],
    distance: &mut [u32],
    below: &mut [i32],
) {
    let i = tid();
    difference[i] = if a[i] >= b[i] { a[i] - b[i] } else { a[i].saturating_sub(b[i]) + 100 };
    distance[i] = a[i].abs_diff(b[i]);
    let mut count = 0;
    for j in 0..i.saturating_sub(1) {
        if i - j > 2 && i - j - 2 < a[i] as usize {
            count += 1;
        }
    }
    below[i] = count;
}

#[test]
fn unsigned_differences_near_zero() {
    let a = [0, 1, 5, 3, u32::MAX, 2];
    let b = [1, 0, 5, 7, 0, u32::MAX];
    trap("unsigned_difference", a.len())
        .input(&a)
        .input(&b)
        .output([100u32, 1, 0, 100, u32::MAX, 100])
        .output([1u32, 1, 0, 4, u32::MAX, u32::MAX - 2])
        .output([0, 0, 0, 1, 2, 1])
        .spring();
}

/// Arithmetic modulo 2³² and 2⁶⁴.
#[kernel(family = "traps")]
fn wrapping(
    #[domain(-2147483648..2147483647)] a: &[i32],
    #[domain(-2147483648..2147483647)] b: &[i32],
    sum: &mut [i32],
    difference: &mut [i32],
    product: &mut [i32],
    unsigned: &mut [u32],
    long: &mut [i64],
) {
    let i = tid();
    sum[i] = a[i].wrapping_add(b[i]);
    difference[i] = a[i].wrapping_sub(b[i]);
    product[i] = a[i].wrapping_mul(b[i]);
    unsigned[i] = (a[i] as u32).wrapping_mul(b[i] as u32).wrapping_sub(1).wrapping_add(0x9e37_79b9);
    let wide = a[i] as i64 * 4294967296;
    long[i] = wide.wrapping_mul(b[i] as i64 * 3).wrapping_sub(wide).wrapping_add(i64::MIN);
}

#[test]
fn wrapping_operations_wrap() {
    let a = [i32::MAX, i32::MIN, -1, 123456789, i32::MIN];
    let b = [1, -1, i32::MIN, 987654321, i32::MIN];
    let pairs: Vec<(i32, i32)> = a.into_iter().zip(b).collect();
    let long = |a: i32, b: i32| {
        let wide = i64::from(a) * 4294967296;
        wide.wrapping_mul(i64::from(b) * 3).wrapping_sub(wide).wrapping_add(i64::MIN)
    };
    let unsigned = |a: i32, b: i32| (a as u32).wrapping_mul(b as u32).wrapping_sub(1).wrapping_add(0x9e37_79b9);
    trap("wrapping", a.len())
        .input(&a)
        .input(&b)
        .output(pairs.iter().map(|(a, b)| a.wrapping_add(*b)).collect::<Vec<_>>())
        .output(pairs.iter().map(|(a, b)| a.wrapping_sub(*b)).collect::<Vec<_>>())
        .output(pairs.iter().map(|(a, b)| a.wrapping_mul(*b)).collect::<Vec<_>>())
        .output(pairs.iter().map(|(a, b)| unsigned(*a, *b)).collect::<Vec<_>>())
        .output(pairs.iter().map(|(a, b)| long(*a, *b)).collect::<Vec<_>>())
        .spring();
}

/// The sign fills a signed number that moves down; a bit may move into the sign.
#[kernel(family = "traps")]
fn shifts(
    #[domain(-2147483648..2147483647)] x: &[i32],
    #[domain(0..32)] n: &[i32],
    down: &mut [i32],
    up: &mut [i32],
    down_unsigned: &mut [u32],
    long: &mut [i64],
    in_place: &mut [i32],
) {
    let i = tid();
    down[i] = x[i] >> n[i];
    up[i] = x[i] << n[i];
    down_unsigned[i] = (x[i] as u32) >> (n[i] as u32);
    long[i] = (x[i] as i64) << 31 >> 33;
    in_place[i] = x[i] ^ 1;
    in_place[i] >>= 2;
    in_place[i] <<= 3;
}

#[test]
fn shifts_keep_the_sign() {
    let x = [-1, -8, i32::MIN, 1, i32::MAX, -2147483647];
    let n = [31, 1, 31, 31, 0, 1];
    let pairs: Vec<(i32, i32)> = x.into_iter().zip(n).collect();
    trap("shifts", x.len())
        .input(&x)
        .input(&n)
        .output(pairs.iter().map(|(x, n)| x >> n).collect::<Vec<_>>())
        .output(pairs.iter().map(|(x, n)| x << n).collect::<Vec<_>>())
        .output(pairs.iter().map(|(x, n)| (*x as u32) >> n).collect::<Vec<_>>())
        .output(x.map(|x| i64::from(x) << 31 >> 33))
        .output(x.map(|x| (x ^ 1) >> 2 << 3))
        .spring();
}

/// Counting bits, of zero and of negative numbers too.
#[kernel(family = "traps")]
fn bits(
    #[domain(-2147483648..2147483647)] x: &[i32],
    leading: &mut [u32],
    trailing: &mut [u32],
    ones: &mut [u32],
    rotated: &mut [i32],
    long: &mut [u32],
) {
    let i = tid();
    leading[i] = x[i].leading_zeros();
    trailing[i] = x[i].trailing_zeros();
    ones[i] = (!x[i]).count_ones();
    rotated[i] = x[i].rotate_left(i as u32 * 8) ^ x[i].rotate_right(33);
    long[i] = (x[i] as i64).leading_zeros() * 100 + (x[i] as u64 ^ 1).trailing_zeros();
}

#[test]
fn bits_of_zero_and_of_negative_numbers() {
    let x = [0, -1, i32::MIN, 1, 0x0012_3400, -256];
    trap("bits", x.len())
        .input(&x)
        .output(x.map(i32::leading_zeros))
        .output(x.map(i32::trailing_zeros))
        .output(x.map(i32::count_zeros))
        .output([0usize, 1, 2, 3, 4, 5].map(|i| x[i].rotate_left(i as u32 * 8) ^ x[i].rotate_right(33)))
        .output(x.map(|x| i64::from(x).leading_zeros() * 100 + (x as u64 ^ 1).trailing_zeros()))
        .spring();
}

/// The remainder that is never negative, whatever the signs.
#[kernel(family = "traps")]
fn euclid(
    #[domain(-50..50)] a: &[i32],
    #[domain(1..9)] b: &[i32],
    remainder: &mut [i32],
    long: &mut [i64],
    float: &mut [f32],
) {
    let i = tid();
    remainder[i] = a[i].rem_euclid(b[i]);
    long[i] = (a[i] as i64 * 4294967296).rem_euclid(b[i] as i64);
    float[i] = (a[i] as f32 / 4.0).rem_euclid(b[i] as f32);
}

#[test]
fn rem_euclid_is_never_negative() {
    let a = [7, -7, 7, -7, i32::MIN, -1, -6];
    let b = [3, 3, -3, -3, 10, -9, 3];
    let pairs: Vec<(i32, i32)> = a.into_iter().zip(b).collect();
    trap("euclid", a.len())
        .input(&a)
        .input(&b)
        .output(pairs.iter().map(|(a, b)| a.rem_euclid(*b)).collect::<Vec<_>>())
        .output(pairs.iter().map(|(a, b)| (i64::from(*a) * 4294967296).rem_euclid(i64::from(*b))).collect::<Vec<_>>())
        .output(pairs.iter().map(|(a, b)| (*a as f32 / 4.0).rem_euclid(*b as f32)).collect::<Vec<_>>())
        .spring();
}

/// The float remainder has the sign of the dividend.
#[kernel(family = "traps")]
fn float_remainder(x: &[f32], #[domain(1.0..2.0)] y: &[f32], single: &mut [f32], double: &mut [f64]) {
    let i = tid();
    single[i] = x[i] % y[i];
    let mut rest = x[i] as f64 * 10.0;
    rest %= y[i] as f64;
    double[i] = rest;
}

#[test]
fn float_remainders_have_the_sign_of_the_dividend() {
    let x = [5.5, -5.5, 5.5, -5.5, -4.0, 1e30, 1.0, f32::INFINITY, 3.0, f32::NAN];
    let y = [2.0, 2.0, -2.0, -2.0, 2.0, 3.0, f32::INFINITY, 2.0, 0.0, 1.0];
    let pairs: Vec<(f32, f32)> = x.into_iter().zip(y).collect();
    trap("float_remainder", x.len())
        .input(&x)
        .input(&y)
        .output(pairs.iter().map(|(x, y)| x % y).collect::<Vec<_>>())
        .output(pairs.iter().map(|(x, y)| f64::from(*x) * 10.0 % f64::from(*y)).collect::<Vec<_>>())
        .spring();
}

/// A comparison with NaN is false, so its opposite is not the opposite comparison.
#[kernel(family = "traps")]
fn nan_comparison(x: &[f32], y: &[f32], out: &mut [i32]) {
    let i = tid();
    let mut bits = 0;
    if !(x[i] < y[i]) {
        bits += 1;
    }
    if x[i] >= y[i] {
        bits += 2;
    }
    if x[i] != y[i] {
        bits += 4;
    }
    if !(x[i] > y[i] || x[i] == y[i]) {
        bits += 8;
    }
    bits += if x[i].is_nan() { 16 } else { 0 };
    bits += if y[i].is_finite() { 32 } else { 0 };
    out[i] = bits;
}

#[test]
fn comparisons_with_nan_are_false() {
    let x = [f32::NAN, 1.0, f32::NAN, 1.0, 0.0, 2.0];
    let y = [1.0, f32::NAN, f32::NAN, f32::INFINITY, -0.0, 1.0];
    trap("nan_comparison", x.len())
        .input(&x)
        .input(&y)
        .output([1 + 4 + 8 + 16 + 32, 1 + 4 + 8, 1 + 4 + 8 + 16, 4 + 8, 1 + 2 + 32, 1 + 2 + 4 + 32])
        .spring();
}

/// `min` and `max` prefer a number to NaN; `clamp` lets NaN through.
#[kernel(family = "traps")]
fn nan_order(
    x: &[f32],
    y: &[f32],
    low: &mut [f32],
    high: &mut [f32],
    clamped: &mut [f32],
    double: &mut [f64],
    folded: &mut [f32],
) {
    let i = tid();
    low[i] = x[i].min(y[i]);
    high[i] = x[i].max(y[i]);
    clamped[i] = x[i].clamp(-1.0, 1.0);
    double[i] = (x[i] as f64).min(y[i] as f64) + (x[i] as f64).max(0.5);
    let mut most = 0.0f32;
    for j in 0..x.len() {
        most = most.max(x[j]);
    }
    folded[i] = most;
}

#[test]
fn min_and_max_prefer_numbers_to_nan() {
    let x = [f32::NAN, 1.0, f32::NAN, 3.0, -4.0, f32::INFINITY];
    let y = [1.0, f32::NAN, f32::NAN, 2.0, f32::NEG_INFINITY, 5.0];
    let pairs: Vec<(f32, f32)> = x.into_iter().zip(y).collect();
    trap("nan_order", x.len())
        .input(&x)
        .input(&y)
        .output(pairs.iter().map(|(x, y)| x.min(*y)).collect::<Vec<_>>())
        .output(pairs.iter().map(|(x, y)| x.max(*y)).collect::<Vec<_>>())
        .output([f32::NAN, 1.0, f32::NAN, 1.0, -1.0, 1.0])
        .output(pairs.iter().map(|(x, y)| f64::from(x.min(*y)) + f64::from(*x).max(0.5)).collect::<Vec<_>>())
        .output([f32::INFINITY; 6])
        .spring();
}

/// Signs of zeros and of NaN.
#[kernel(family = "traps")]
fn signs(
    x: &[f32],
    #[domain(-9..9)] n: &[i32],
    sign: &mut [f32],
    copied: &mut [f32],
    negated: &mut [f32],
    absolute: &mut [f32],
    whole: &mut [i32],
) {
    let i = tid();
    sign[i] = x[i].signum();
    copied[i] = 3.0f32.copysign(x[i]);
    negated[i] = -x[i];
    absolute[i] = (-x[i]).abs() + -x[i].abs();
    whole[i] = n[i].signum() * 10 + n[i].abs();
}

#[test]
fn zeros_have_signs() {
    let x = [0.0, -0.0, f32::NAN, -2.5, 7.0, f32::NEG_INFINITY];
    trap("signs", x.len())
        .input(&x)
        .input(&[0, -3, 3, 100, -100, -1])
        .output([1.0f32, -1.0, f32::NAN, -1.0, 1.0, -1.0])
        .output(x.map(|x| 3.0f32.copysign(x)))
        .output(x.map(|x| -x))
        .output(x.map(|x| (-x).abs() + -x.abs()))
        .output([0, -7, 13, 110, 90, -9])
        .spring();
}

/// Cofactors that are zero get a sign, too.
#[kernel(family = "traps")]
fn zeros_of_inverses(#[domain(0.5..2.0)] x: &[f32], four: &mut [Mat4], two: &mut [Mat2]) {
    let i = tid();
    four[i] = Mat4::from_diagonal(Vec4::splat(x[i])).inverse();
    two[i] = Mat2::from_diagonal(Vec2::splat(x[i])).inverse();
}

#[test]
fn zeros_of_inverses_have_signs() {
    let x = [1.0, 2.0, -0.5];
    trap("zeros_of_inverses", x.len())
        .input(&x)
        .output(x.map(|x| Mat4::from_diagonal(Vec4::splat(x)).inverse()))
        .output(x.map(|x| Mat2::from_diagonal(Vec2::splat(x)).inverse()))
        .spring();
}

/// Halves go away from zero; what is just below a half does not.
#[kernel(family = "traps")]
fn rounding(
    #[domain(-4.0..4.0)] x: &[f32],
    round: &mut [f32],
    floor: &mut [f32],
    ceil: &mut [f32],
    trunc: &mut [f32],
    fract: &mut [f32],
    double: &mut [f64],
) {
    let i = tid();
    round[i] = x[i].round();
    floor[i] = x[i].floor();
    ceil[i] = x[i].ceil();
    trunc[i] = x[i].trunc();
    fract[i] = x[i].fract();
    double[i] = (x[i] as f64).round();
}

#[test]
fn halves_are_rounded_away_from_zero() {
    let x = [0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.49999997, -0.49999997, 8388609.0, -0.0, 2.7, -2.7, f32::INFINITY];
    trap("rounding", x.len())
        .input(&x)
        .output(x.map(f32::round))
        .output(x.map(f32::floor))
        .output(x.map(f32::ceil))
        .output(x.map(f32::trunc))
        .output(x.map(f32::fract))
        .output(x.map(|x| f64::from(x).round()))
        .spring();
}

/// Constants at the ends of their types.
#[kernel(family = "traps")]
fn extreme_constants(
    signed: &mut [i32],
    long: &mut [i64],
    unsigned: &mut [u32],
    unsigned_long: &mut [u64],
    float: &mut [f32],
    double: &mut [f64],
) {
    let i = tid();
    signed[i] = if i == 0 { i32::MIN } else { -2147483647 - 1 + i32::MAX };
    long[i] = if i == 0 { i64::MIN } else { i64::MAX - 9223372036854775806 };
    unsigned[i] = u32::MAX - i as u32;
    unsigned_long[i] = u64::MAX - 0xffff_ffff_0000_0000 * (i % 2) as u64;
    float[i] = if i == 0 { f32::MAX } else { f32::MIN_POSITIVE * 1e-3 };
    double[i] = if i == 0 { -f64::MAX } else { f64::EPSILON + 1e-310 };
}

#[test]
fn constants_reach_the_ends_of_their_types() {
    trap("extreme_constants", 2)
        .output([i32::MIN, -1])
        .output([i64::MIN, 1])
        .output([u32::MAX, u32::MAX - 1])
        .output([u64::MAX, 0xffff_ffff])
        .output([f32::MAX, f32::MIN_POSITIVE * 1e-3])
        .output([-f64::MAX, f64::EPSILON + 1e-310])
        .spring();
}

/// Infinity and NaN as constants, and what division by zero gives.
#[kernel(family = "traps")]
fn not_finite(x: &[f32], least: &mut [f32], inverse: &mut [f32], root: &mut [i32]) {
    let i = tid();
    let mut smallest = f32::INFINITY;
    let mut largest = f32::NEG_INFINITY;
    for j in 0..i {
        smallest = smallest.min(x[j]);
        largest = largest.max(x[j]);
    }
    least[i] = if i == 0 { 0.0 } else { smallest - largest };
    let zero = x[i] - x[i];
    let limit = if zero.is_nan() { f32::NAN } else { 1.0 / zero };
    inverse[i] = if limit == f32::INFINITY { 1.0 } else { 2.0 };
    root[i] = if (x[i] - 9.0).sqrt().is_nan() { 1 } else { 0 };
}

#[test]
fn infinity_and_nan_are_numbers_too() {
    trap("not_finite", 3)
        .input(&[1.0f32, 10.0, f32::INFINITY])
        .output([0.0f32, 0.0, -9.0])
        .output([1.0f32, 1.0, 2.0])
        .output([1, 0, 0])
        .spring();
}
