//! The operation table through Rust's syntax.

use super::lowered;
use expect_test::expect;

#[test]
fn precedence() {
    let found = lowered(
        "a: f32, b: f32, n: i32",
        r"
            let c = a + b * a - b / a % 2.0;
            let d = -a as i32 * n;
            let e = -n.pow(2);
            let f = (a + b) * a;
            let g = !(n > 0) == (a < b);
            let h = n & 3 == 1;
            let i = n as f32 * a;
            let j = (a < b) as i32;
        ",
    );
    expect![[r#"
        let c.0: f32 = a + b * a - b / a % 2.0f32;
        let d.1: i32 = -a as i32 * n;
        let e.2: i32 = -pow(n, 2u32);
        let f.3: f32 = (a + b) * a;
        let g.4: bool = !(n > 0i32) == (a < b);
        let h.5: bool = n & 3i32 == 1i32;
        let i.6: f32 = n as f32 * a;
        let j.7: i32 = (a < b) as i32;
    "#]]
    .assert_eq(&found);
}

#[test]
fn integer_operations() {
    let found = lowered(
        "n: i32, u: u32, w: u64",
        r"
            let a = n.wrapping_mul(31).wrapping_add(7);
            let b = u.rotate_left(5) ^ u.count_ones();
            let c = w.leading_zeros();
            let d = n.abs().min(3).max(-3).clamp(0, 9);
            let e = n.rem_euclid(5);
            let f = u.abs_diff(3);
            let g = n.signum();
            let h = u.pow(2);
            let i = u.saturating_sub(1);
        ",
    );
    expect![[r#"
        let a.0: i32 = wrapping_add(wrapping_mul(n, 31i32), 7i32);
        let b.1: u32 = rotate_left(u, 5u32) ^ count_ones(u);
        let c.2: u32 = leading_zeros(w);
        let d.3: i32 = clamp(max(min(abs(n), 3i32), -3i32), 0i32, 9i32);
        let e.4: i32 = rem_euclid(n, 5i32);
        let f.5: u32 = abs_diff(u, 3u32);
        let g.6: i32 = signum(n);
        let h.7: u32 = pow(u, 2u32);
        let i.8: u32 = saturating_sub(u, 1u32);
    "#]]
    .assert_eq(&found);
}

#[test]
fn float_operations() {
    let found = lowered(
        "a: f32, b: f64",
        r"
            let c = a.sin().cos().exp().ln();
            let d = b.powf(2.5).powi(3).sqrt();
            let e = a.mul_add(2.0, 1.0);
            let f = a.atan2(1.0).hypot(a);
            let g = a.is_nan() || b.is_finite();
            let h = a.clamp(0.0, 1.0).copysign(-1.0);
            let i = a.to_radians().fract().recip();
        ",
    );
    expect![[r#"
        let c.0: f32 = ln(exp(cos(sin(a))));
        let d.1: f64 = sqrt(powi(powf(b, 2.5f64), 3i32));
        let e.2: f32 = mul_add(a, 2.0f32, 1.0f32);
        let f.3: f32 = hypot(atan2(a, 1.0f32), a);
        let g.4: bool = is_nan(a) || is_finite(b);
        let h.5: f32 = copysign(clamp(a, 0.0f32, 1.0f32), -1.0f32);
        let i.6: f32 = recip(fract(to_radians(a)));
    "#]]
    .assert_eq(&found);
}

#[test]
fn compound_assignments() {
    let found = lowered(
        "mut a: f32, mut n: i32, mut v: Vec3",
        r"
            a += 1.0;
            a -= 2.0;
            a *= 3.0;
            a /= 4.0;
            a %= 5.0;
            n <<= 1;
            n >>= 2;
            n &= 3;
            n |= 4;
            n ^= 5;
            v *= 2.0;
            v /= 2.0;
            v += v;
            v *= v;
        ",
    );
    expect![[r#"
        let mut a.0: f32 = a;
        let mut n.1: i32 = n;
        let mut v.2: vec3 = v;
        a.0 += 1.0f32;
        a.0 -= 2.0f32;
        a.0 *= 3.0f32;
        a.0 /= 4.0f32;
        a.0 %= 5.0f32;
        n.1 <<= 1i32;
        n.1 >>= 2i32;
        n.1 &= 3i32;
        n.1 |= 4i32;
        n.1 ^= 5i32;
        v.2 *= 2.0f32;
        v.2 /= 2.0f32;
        v.2 += v.2;
        v.2 *= v.2;
    "#]]
    .assert_eq(&found);
}

#[test]
fn casts() {
    let found = lowered(
        "a: f32, n: i32, i: usize, c: bool",
        r"
            let b = a as i32 as f64 as u32;
            let d = n as usize + i;
            let e = c as i32;
            let f = i as f32;
            let g = n as i64 as i32;
            let h = a as f32;
        ",
    );
    expect![[r#"
        let b.0: u32 = a as i32 as f64 as u32;
        let d.1: usize = n as usize + i;
        let e.2: i32 = c as i32;
        let f.3: f32 = i as f32;
        let g.4: i32 = n as i64 as i32;
        let h.5: f32 = a;
    "#]]
    .assert_eq(&found);
}
