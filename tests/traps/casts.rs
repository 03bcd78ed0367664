//! Traps: `as` between numeric types.

use super::trap;
use kernel_rt::prelude::*;

/// Floats outside the range of an integer become its ends, NaN becomes 0.
#[kernel(family = "traps")]
fn float_to_int(
    #[domain(-5e9..5e9)] x: &[f32],
    signed: &mut [i32],
    unsigned: &mut [u32],
    long: &mut [i64],
    unsigned_long: &mut [u64],
) {
    let i = tid();
    signed[i] = x[i] as i32;
    unsigned[i] = x[i] as u32;
    long[i] = x[i] as i64;
    unsigned_long[i] = x[i] as u64;
}

#[test]
fn float_to_int_saturates() {
    let x = [
        0.0,
        -0.0,
        2.9,
        -2.9,
        -0.9,
        f32::NAN,
        -f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::MAX,
        f32::MIN,
        2147483520.0,
        2147483648.0,
        -2147483648.0,
        -2147483904.0,
        4294967040.0,
        4294967296.0,
        9223371487098961920.0,
        9223372036854775808.0,
        -9223372036854775808.0,
        18446742974197923840.0,
        18446744073709551616.0,
    ];
    trap("float_to_int", x.len())
        .input(&x)
        .output(x.map(|x| x as i32))
        .output(x.map(|x| x as u32))
        .output(x.map(|x| x as i64))
        .output(x.map(|x| x as u64))
        .spring();
}

/// The same from `f64`.
#[kernel(family = "traps")]
fn double_to_int(
    #[domain(-1e20..1e20)] x: &[f64],
    signed: &mut [i32],
    unsigned: &mut [u32],
    long: &mut [i64],
    unsigned_long: &mut [u64],
) {
    let i = tid();
    signed[i] = x[i] as i32;
    unsigned[i] = x[i] as u32;
    long[i] = x[i] as i64;
    unsigned_long[i] = x[i] as u64;
}

#[test]
fn double_to_int_saturates() {
    let x = [
        -0.0,
        -0.9,
        2147483646.9,
        2147483647.0,
        2147483647.5,
        2147483648.0,
        -2147483648.5,
        -2147483649.0,
        4294967295.0,
        4294967295.5,
        4294967296.0,
        9223372036854774784.0,
        9223372036854775808.0,
        -9223372036854775808.0,
        -9223372036854777856.0,
        18446744073709549568.0,
        18446744073709551616.0,
        1e300,
        -1e300,
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
    ];
    trap("double_to_int", x.len())
        .input(&x)
        .output(x.map(|x| x as i32))
        .output(x.map(|x| x as u32))
        .output(x.map(|x| x as i64))
        .output(x.map(|x| x as u64))
        .spring();
}

/// An element of a table at a place that is computed in floats; what lies below the table is its first element.
#[kernel(family = "traps")]
fn float_to_index(#[domain(-3.0..12.0)] place: &[f32], #[shape(8)] table: &[f32], out: &mut [f32]) {
    let i = tid();
    out[i] = table[(place[i] as usize).min(table.len() - 1)];
}

#[test]
fn float_to_index_saturates() {
    let place = [0.0, 3.99, -0.5, -7.0, f32::NAN, f32::NEG_INFINITY, f32::INFINITY, 3e9, 7.0];
    let table = [10.0f32, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0];
    trap("float_to_index", place.len())
        .input(&place)
        .input(&table)
        .output([10.0f32, 13.0, 10.0, 10.0, 10.0, 10.0, 17.0, 17.0, 17.0])
        .spring();
}

/// Floats outside the range of a narrow integer become its ends, NaN becomes 0.
#[kernel(family = "traps")]
fn float_to_narrow(
    #[domain(-70000.0..70000.0)] x: &[f32],
    #[domain(-70000.0..70000.0)] wide: &[f64],
    byte: &mut [i8],
    unsigned_byte: &mut [u8],
    word: &mut [i16],
    unsigned_word: &mut [u16],
    wide_byte: &mut [i8],
    wide_unsigned: &mut [u8],
    wide_word: &mut [i16],
    wide_unsigned_word: &mut [u16],
) {
    let i = tid();
    byte[i] = x[i] as i8;
    unsigned_byte[i] = x[i] as u8;
    word[i] = x[i] as i16;
    unsigned_word[i] = x[i] as u16;
    wide_byte[i] = wide[i] as i8;
    wide_unsigned[i] = wide[i] as u8;
    wide_word[i] = wide[i] as i16;
    wide_unsigned_word[i] = wide[i] as u16;
}

#[test]
fn float_to_narrow_saturates() {
    let x: [f64; 24] = [
        0.0,
        -0.0,
        0.9,
        -0.9,
        126.9,
        127.0,
        127.5,
        128.0,
        -128.5,
        -129.0,
        254.9,
        255.0,
        255.9,
        256.0,
        32767.5,
        -32768.5,
        -32769.0,
        65535.5,
        65536.0,
        3e9,
        -1e20,
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
    ];
    let single = x.map(|x| x as f32);
    trap("float_to_narrow", x.len())
        .input(&single)
        .input(&x)
        .output(single.map(|x| x as i8))
        .output(single.map(|x| x as u8))
        .output(single.map(|x| x as i16))
        .output(single.map(|x| x as u16))
        .output(x.map(|x| x as i8))
        .output(x.map(|x| x as u8))
        .output(x.map(|x| x as i16))
        .output(x.map(|x| x as u16))
        .spring();
}

/// Integers lose the bits for which a narrow one has no room; its sign goes on into the bits of a wider one.
#[kernel(family = "traps")]
fn int_to_narrow(
    #[domain(-3000000000..3000000000)] x: &[i64],
    byte: &mut [i8],
    unsigned_byte: &mut [u8],
    word: &mut [i16],
    unsigned_word: &mut [u16],
    from_byte: &mut [i64],
    from_word: &mut [u32],
    between: &mut [u16],
    float: &mut [f32],
    truth: &mut [u8],
) {
    let i = tid();
    byte[i] = x[i] as i8;
    unsigned_byte[i] = x[i] as u32 as u8;
    word[i] = x[i] as i32 as i16;
    unsigned_word[i] = x[i] as u64 as u16;
    from_byte[i] = x[i] as i8 as i64 - x[i] as u8 as i64;
    from_word[i] = x[i] as i16 as u32 ^ x[i] as u16 as u32;
    between[i] = x[i] as i8 as u16 - (x[i] as u8 as i8 as i16) as u8 as u16;
    float[i] = x[i] as i8 as f32 + x[i] as u16 as f32;
    truth[i] = (x[i] > 0) as u8 + (x[i] as u8 as usize % 2) as u8;
}

#[test]
fn int_to_narrow_truncates_and_extends() {
    let x = [0i64, -1, 127, 128, -128, -129, 255, 256, 32767, 32768, -32768, -32769, 65535, 65536, i64::MAX, i64::MIN];
    trap("int_to_narrow", x.len())
        .input(&x)
        .output(x.map(|x| x as i8))
        .output(x.map(|x| x as u8))
        .output(x.map(|x| x as i16))
        .output(x.map(|x| x as u16))
        .output(x.map(|x| i64::from(x as i8) - i64::from(x as u8)))
        .output(x.map(|x| x as i16 as u32 ^ u32::from(x as u16)))
        .output(x.map(|x| x as i8 as u16 - u16::from(x as u8)))
        .output(x.map(|x| f32::from(x as i8) + f32::from(x as u16)))
        .output(x.map(|x| u8::from(x > 0) + (x as u8 % 2)))
        .spring();
}

/// Integers lose their high bits, or get copies of their sign.
#[kernel(family = "traps")]
fn int_to_int(
    #[domain(-3000000000..3000000000)] x: &[i64],
    signed: &mut [i32],
    unsigned: &mut [u32],
    sign_extended: &mut [u64],
    zero_extended: &mut [i64],
    reread: &mut [i64],
) {
    let i = tid();
    signed[i] = x[i] as i32;
    unsigned[i] = x[i] as u32;
    sign_extended[i] = x[i] as i32 as u64;
    zero_extended[i] = x[i] as u32 as i64;
    reread[i] = x[i] as u32 as i32 as i64;
}

#[test]
fn int_to_int_truncates_and_extends() {
    let x = [0, -1, 2147483647, 2147483648, -2147483648, -2147483649, 4294967295, 4294967296, i64::MAX, i64::MIN];
    trap("int_to_int", x.len())
        .input(&x)
        .output(x.map(|x| x as i32))
        .output(x.map(|x| x as u32))
        .output(x.map(|x| x as i32 as u64))
        .output(x.map(|x| x as u32 as i64))
        .output(x.map(|x| x as u32 as i32 as i64))
        .spring();
}

/// Integers of 32 bits read as the other kind, and widened.
#[kernel(family = "traps")]
fn reread_int(
    #[domain(-2147483648..2147483647)] x: &[i32],
    #[domain(0..4294967295)] u: &[u32],
    unsigned: &mut [u32],
    signed: &mut [i32],
    wide: &mut [i64],
    wide_unsigned: &mut [u64],
) {
    let i = tid();
    unsigned[i] = x[i] as u32;
    signed[i] = u[i] as i32;
    wide[i] = x[i] as i64 * 2 - u[i] as i64;
    wide_unsigned[i] = x[i] as u64 ^ u[i] as u64;
}

#[test]
fn ints_are_reread_bit_by_bit() {
    let x = [-1, i32::MIN, i32::MAX, 0, -2147483647];
    let u = [u32::MAX, 1 << 31, (1 << 31) - 1, 7, 0];
    trap("reread_int", x.len())
        .input(&x)
        .input(&u)
        .output(x.map(|x| x as u32))
        .output(u.map(|u| u as i32))
        .output([0, 1, 2, 3, 4].map(|k| i64::from(x[k]) * 2 - i64::from(u[k])))
        .output([0, 1, 2, 3, 4].map(|k| x[k] as u64 ^ u64::from(u[k])))
        .spring();
}

/// Integers that no float holds go to the nearest, to even where two are as near.
#[kernel(family = "traps")]
fn int_to_float(
    #[domain(-100000000..100000000)] x: &[i32],
    #[domain(0..4294967295)] u: &[u32],
    #[domain(-4000000000000000000..4000000000000000000)] long: &[i64],
    single: &mut [f32],
    from_unsigned: &mut [f32],
    from_long: &mut [f32],
    double: &mut [f64],
    from_unsigned_long: &mut [f64],
) {
    let i = tid();
    single[i] = x[i] as f32;
    from_unsigned[i] = u[i] as f32;
    from_long[i] = long[i] as f32;
    double[i] = long[i] as f64;
    from_unsigned_long[i] = long[i] as u64 as f64;
}

#[test]
fn int_to_float_rounds_to_even() {
    let x = [16777217, 16777219, -16777217, i32::MAX];
    let u = [u32::MAX, 4294967167, 1 << 31, 16777217];
    let long = [i64::MAX, 9007199254740993, -9007199254740995, i64::MIN];
    trap("int_to_float", x.len())
        .input(&x)
        .input(&u)
        .input(&long)
        .output(x.map(|x| x as f32))
        .output(u.map(|u| u as f32))
        .output(long.map(|x| x as f32))
        .output(long.map(|x| x as f64))
        .output(long.map(|x| x as u64 as f64))
        .spring();
}

/// Truth values count as 1 and 0.
#[kernel(family = "traps")]
fn bool_to_int(x: &[f32], signed: &mut [i32], unsigned: &mut [u32], long: &mut [i64], index: &mut [u32]) {
    let i = tid();
    let positive = x[i] > 0.0;
    signed[i] = positive as i32 - (x[i] < 0.0) as i32;
    unsigned[i] = 5 * (x[i] != 0.0) as u32;
    long[i] = -(positive as i64);
    index[i] = (i + !positive as usize) as u32;
}

#[test]
fn bools_are_ones_and_zeros() {
    trap("bool_to_int", 4)
        .input(&[2.0f32, -3.0, 0.0, f32::NAN])
        .output([1, -1, 0, 0])
        .output([5u32, 5, 0, 5])
        .output([-1i64, 0, 0, 0])
        .output([0u32, 2, 3, 4])
        .spring();
}

/// From `f64` to `f32` and back, rounded once; a constant has the type of what surrounds it.
#[kernel(family = "traps")]
fn narrow_float(x: &[f64], narrow: &mut [f32], scaled: &mut [f32], wide: &mut [f64]) {
    let i = tid();
    narrow[i] = x[i] as f32;
    scaled[i] = x[i] as f32 * 0.1 + 0.7;
    wide[i] = (x[i] as f32) as f64 * 0.1 + 0.7;
}

#[test]
fn constants_have_the_type_of_their_surroundings() {
    let x = [1.0 / 3.0, 1e300, -1e-60, 16777217.0, f64::NAN];
    trap("narrow_float", x.len())
        .input(&x)
        .output(x.map(|x| x as f32))
        .output(x.map(|x| x as f32 * 0.1 + 0.7))
        .output(x.map(|x| f64::from(x as f32) * 0.1 + 0.7))
        .spring();
}

/// Negative numbers made into indices, after they have been brought into range.
#[kernel(family = "traps")]
fn negative_index(#[domain(-9..10)] shift: i32, x: &[f32], out: &mut [f32]) {
    let i = tid();
    let n = x.len() as i32;
    let left = i as i32 - 2;
    out[i] = x[(i as i32 + shift).rem_euclid(n) as usize] + x[left.max(0) as usize];
}

#[test]
fn indices_may_be_computed_below_zero() {
    for shift in [-7, -1, 0, 6] {
        let x = [1.0f32, 20.0, 300.0, 4000.0, 50000.0];
        let expected = [0i32, 1, 2, 3, 4].map(|i| x[(i + shift).rem_euclid(5) as usize] + x[(i - 2).max(0) as usize]);
        trap("negative_index", 5).value(shift).input(&x).output(expected).spring();
    }
}
