//! Literals: their types and values.

use super::{lowered, mistakes};
use expect_test::expect;

#[test]
fn a_literal_takes_the_type_that_its_use_decides_later() {
    let found = lowered(
        "out: &mut [f32], k: u64",
        r"
            let a = 2.0;
            let b = a;
            let n = 3;
            let m = k + n;
            out[0] = b;
            let _x = m;
        ",
    );
    expect![[r#"
        let a.0: f32 = 2.0f32;
        let b.1: f32 = a.0;
        let n.2: u64 = 3u64;
        let m.3: u64 = k + n.2;
        out[0usize] = b.1;
        let _x.4: u64 = m.3;
    "#]]
    .assert_eq(&found);
}

#[test]
fn undecided_literals_are_i32_and_f64() {
    let found = lowered("", "let a = 1; let b = 1.5; let c = a + 2; let d = -b;");
    expect![[r#"
        let a.0: i32 = 1i32;
        let b.1: f64 = 1.5f64;
        let c.2: i32 = a.0 + 2i32;
        let d.3: f64 = -b.1;
    "#]]
    .assert_eq(&found);
}

#[test]
fn suffixes_underscores_bases_and_exponents() {
    let found = lowered(
        "",
        r"
            let a = 1_000_i64;
            let b = 0xff_u32;
            let c = 0o17;
            let d = 0b1010_0101u64;
            let e = 1e3;
            let f = 2.5E-3_f32;
            let g = 1_f32;
            let h = 1.;
            let i = 7usize;
            let j = 0xffff_ffff_ffff_ffffu64;
        ",
    );
    expect![[r#"
        let a.0: i64 = 1000i64;
        let b.1: u32 = 255u32;
        let c.2: i32 = 15i32;
        let d.3: u64 = 165u64;
        let e.4: f64 = 1000.0f64;
        let f.5: f32 = 0.0025f32;
        let g.6: f32 = 1.0f32;
        let h.7: f64 = 1.0f64;
        let i.8: usize = 7usize;
        let j.9: u64 = 18446744073709551615u64;
    "#]]
    .assert_eq(&found);
}

#[test]
fn negative_literals() {
    let found = lowered(
        "",
        r"
            let a = -1;
            let b = -2147483648;
            let c = -(2147483648);
            let d = -9223372036854775808_i64;
            let e = -1.0;
            let f = -0.0_f32;
            let g = - -1;
            let h = -(1.5);
        ",
    );
    expect![[r#"
        let a.0: i32 = -1i32;
        let b.1: i32 = -2147483648i32;
        let c.2: i32 = -2147483648i32;
        let d.3: i64 = -9223372036854775808i64;
        let e.4: f64 = -1.0f64;
        let f.5: f32 = -0.0f32;
        let g.6: i32 = -(-1i32);
        let h.7: f64 = -1.5f64;
    "#]]
    .assert_eq(&found);
}

#[test]
fn a_minus_before_a_method_call_comes_last() {
    let found = lowered(
        "",
        r"
            let a = -1.0_f32.abs();
            let b = (-1.0_f32).abs();
            let c = -2_i32.pow(2);
            let d = (-2_i32).pow(2);
            let e = -1.5 as f32;
        ",
    );
    expect![[r#"
        let a.0: f32 = -abs(1.0f32);
        let b.1: f32 = abs(-1.0f32);
        let c.2: i32 = -pow(2i32, 2u32);
        let d.3: i32 = pow(-2i32, 2u32);
        let e.4: f32 = -1.5f32;
    "#]]
    .assert_eq(&found);
}

#[test]
fn a_literal_directly_under_a_cast_has_the_type_cast_to() {
    let found = lowered(
        "",
        r"
            let a = 3 as i64;
            let b = 0.1 as f32;
            let c = (7) as usize;
            let d = { 3_000_000_000 } as u32;
            let e = 1 as f32;
            let f = 2.5 as i32;
        ",
    );
    expect![[r#"
        let a.0: i64 = 3i64;
        let b.1: f32 = 0.1f32;
        let c.2: usize = 7usize;
        let d.3: u32 = 3000000000u32;
        let e.4: f32 = 1i32 as f32;
        let f.5: i32 = 2.5f64 as i32;
    "#]]
    .assert_eq(&found);
}

#[test]
fn a_cast_does_not_decide_the_type_of_a_variable() {
    let found = lowered(
        "out: &mut [f32], big: &mut [i64]",
        r"
            let mut s = 0.0;
            s += 0.1;
            out[0] = s as f32;
            let n = 7;
            big[0] = (n * n) as i64;
            big[1] = (1 + 2) as i64;
        ",
    );
    expect![[r#"
        let mut s.0: f64 = 0.0f64;
        s.0 += 0.1f64;
        out[0usize] = s.0 as f32;
        let n.1: i32 = 7i32;
        big[0usize] = (n.1 * n.1) as i64;
        big[1usize] = (1i32 + 2i32) as i64;
    "#]]
    .assert_eq(&found);
}

#[test]
fn f32_literals_round_once() {
    let found = lowered(
        "",
        r"
            let a: f32 = 0.1;
            let b: f32 = 16777217.0;
            let c: f32 = 1e-45;
            let d = 1.0e308;
            let e: f32 = 3.4028235e38;
        ",
    );
    expect![[r#"
        let a.0: f32 = 0.1f32;
        let b.1: f32 = 16777216.0f32;
        let c.2: f32 = 1e-45f32;
        let d.3: f64 = 1e308f64;
        let e.4: f32 = 3.4028235e38f32;
    "#]]
    .assert_eq(&found);
}

#[test]
fn constants_of_types() {
    let found = lowered(
        "",
        r"
            let a = f32::EPSILON;
            let b = f64::MIN_POSITIVE;
            let c = i32::MIN;
            let d = u64::MAX;
            let e = f32::INFINITY;
            let g = std::f32::consts::PI;
            let h = core::f64::consts::TAU;
            let i = i64::MAX;
            let j = f32::NEG_INFINITY;
        ",
    );
    expect![[r#"
        let a.0: f32 = 1.1920929e-7f32;
        let b.1: f64 = 2.2250738585072014e-308f64;
        let c.2: i32 = -2147483648i32;
        let d.3: u64 = 18446744073709551615u64;
        let e.4: f32 = f32::INFINITY;
        let g.5: f32 = 3.1415927f32;
        let h.6: f64 = 6.283185307179586f64;
        let i.7: i64 = 9223372036854775807i64;
        let j.8: f32 = f32::NEG_INFINITY;
    "#]]
    .assert_eq(&found);
}

#[test]
fn constants_of_aggregates() {
    let found = lowered(
        "",
        r"
            let a = Vec3::ZERO;
            let b = IVec2::ONE;
            let c = DVec4::Y;
            let d = Vec2::NEG_X;
            let e = Mat2::IDENTITY;
            let f = DQuat::IDENTITY;
            let g = Vec3::NEG_ONE;
            let h = Mat3::ZERO;
        ",
    );
    expect![[r#"
        let a.0: vec3 = splat<vec3>(0.0f32);
        let b.1: vec2i = splat<vec2i>(1i32);
        let c.2: vec4d = vec4(0.0f64, 1.0f64, 0.0f64, 0.0f64);
        let d.3: vec2 = vec2(-1.0f32, 0.0f32);
        let e.4: mat22 = from_diagonal(splat<vec2>(1.0f32));
        let f.5: quatd = quat(0.0f64, 0.0f64, 0.0f64, 1.0f64);
        let g.6: vec3 = splat<vec3>(-1.0f32);
        let h.7: mat33 = from_diagonal(splat<vec3>(0.0f32));
    "#]]
    .assert_eq(&found);
}

#[test]
fn literals_out_of_range() {
    let found = mistakes(
        "",
        r"
            let a: i32 = 2147483648;
            let b = -1 as u32;
            let c: usize = 5_000_000_000;
            let d = 1e39_f32;
            let e: u32 = -1;
            let g = 4294967296 as u32;
        ",
    );
    expect![[r#"
        2147483648
          2147483648 does not fit `i32`
          help: use a wider type, or another number
        -1
          -1 does not fit `u32`
          help: use a signed type, or another number
        5_000_000_000
          5000000000 does not fit `usize`
          help: indices are whole numbers from 0 to below 2³²
        1e39_f32
          this number is too large for its type
          help: use `f64`, or a smaller number
        -1
          -1 does not fit `u32`
          help: use a signed type, or another number
        4294967296
          4294967296 does not fit `u32`
          help: use a wider type, or another number
    "#]]
    .assert_eq(&found);
}

#[test]
fn literals_that_the_language_lacks() {
    let found = mistakes(
        "",
        r#"
            let a = "text";
            let b = 'c';
            let c = 1u8;
            let d = b"x";
            let e = 1i128;
            let f = 1.0f16;
        "#,
    );
    expect![[r#"
        "text"
          the kernel language has numbers and `true` and `false`, no text
          help: use a number
        'c'
          the kernel language has numbers and `true` and `false`, no text
          help: use a number
        1u8
          `u8` is not a type of the kernel language
          help: use `f32 f64 i32 u32 i64 u64 usize`
        b"x"
          the kernel language has numbers and `true` and `false`, no text
          help: use a number
        1i128
          `i128` is not a type of the kernel language
          help: use `f32 f64 i32 u32 i64 u64 usize`
        1.0f16
          `f16` is not a type of the kernel language
          help: use `f32 f64 i32 u32 i64 u64 usize`
    "#]]
    .assert_eq(&found);
}
