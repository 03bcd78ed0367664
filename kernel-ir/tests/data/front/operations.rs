//- precedence
fn k(a: f32, b: f32, n: i32) {
    let c = a + b * a - b / a % 2.0;
    let d = -a as i32 * n;
    let e = -n.pow(2);
    let f = (a + b) * a;
    let g = !(n > 0) == (a < b);
    let h = n & 3 == 1;
    let i = n as f32 * a;
    let j = (a < b) as i32;
}

//- integer operations
fn k(n: i32, u: u32, w: u64) {
    let a = n.wrapping_mul(31).wrapping_add(7);
    let b = u.rotate_left(5) ^ u.count_ones();
    let c = w.leading_zeros();
    let d = n.abs().min(3).max(-3).clamp(0, 9);
    let e = n.rem_euclid(5);
    let f = u.abs_diff(3);
    let g = n.signum();
    let h = u.pow(2);
    let i = u.saturating_sub(1);
}

//- float operations
fn k(a: f32, b: f64) {
    let c = a.sin().cos().exp().ln();
    let d = b.powf(2.5).powi(3).sqrt();
    let e = a.mul_add(2.0, 1.0);
    let f = a.atan2(1.0).hypot(a);
    let g = a.is_nan() || b.is_finite();
    let h = a.clamp(0.0, 1.0).copysign(-1.0);
    let i = a.to_radians().fract().recip();
}

//- compound assignments
fn k(mut a: f32, mut n: i32, mut v: Vec3) {
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
}

//- casts
fn k(a: f32, n: i32, i: usize, c: bool) {
    let b = a as i32 as f64 as u32;
    let d = n as usize + i;
    let e = c as i32;
    let f = i as f32;
    let g = n as i64 as i32;
    let h = a as f32;
}
