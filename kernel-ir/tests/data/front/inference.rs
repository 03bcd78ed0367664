//- chains of vectors and scalars
fn k(v: Vec3, s: f32, m: Mat3, q: Quat) {
    let a = 2.0 * v * s + v / 2.0;
    let b = m * v * 0.5;
    let c = q * v;
    let d = q * q * 0.5;
    let e = (v * v).x;
    let f = 2.0 * m * 3.0;
    let g = v.dot(v) * 2.0;
}

//- shadowing with another type
fn k(x: f32) {
    let x = x as i32;
    let x = x as f64;
    let x = Vec2::new(1.0, x as f32);
    let x = x.x > 0.0;
}

//- a late value in branches
fn k(c: bool, out: &mut [f32]) {
    let x; if c { x = 1.0; } else { x = 2.0; } out[0] = x;
}

//- a late vector
fn k(c: bool, out: &mut [Vec3]) {
    let v;
    let w: Vec3;
    w = Vec3::ONE;
    if c { v = w; } else { v = 2.0 * w; }
    out[0] = v;
}

//- an accumulator learns its type from the end
fn k(x: &[f64], out: &mut [f64]) {
    let mut s = 0.0;
    let mut n = 0;
    for j in 0..x.len() { s += x[j]; n += 1; }
    out[0] = s / n as f64;
}

//- an index variable is usize
fn k(x: &[f32], out: &mut [f32], v: Vec3) {
    let k = 2; out[k] = x[k + 1]; let j = 1; out[0] = v[j];
}

//- underscore annotations
fn k(x: f32) {
    let a: _ = x; let b: f64 = 1.0;
}

//- function form of methods
fn k(a: f32, v: Vec3, n: i32) {
    let b = f32::max(a, 0.0);
    let c = Vec3::dot(v, v);
    let d = i32::abs(n);
    let e = f32::powi(2.0, n);
    let f = f64::sqrt(2.0);
    let g = f32::mul_add(a, 2.0, 1.0);
}

//- nested ifs share one type
fn k(a: f32) {
    let x = if a > 1.0 { if a > 2.0 { 3.0 } else { a } } else if a < 0.0 { 1.0 } else { { 2.0 } }
    ;
}

//- constructors
fn k(a: f32) {
    let v = Vec3::new(a, 1.0, 2.0);
    let w = Vec4::splat(0.0);
    let m = Mat3::from_cols(v, v, Vec3::X);
    let q = Quat::from_xyzw(0.0, 0.0, 0.0, 1.0);
    let e = v.extend(1.0);
    let t = e.truncate();
    let d = Mat2::from_diagonal(Vec2::new(a, a));
    let i = IVec3::new(1, 2, 3);
}

//- shifts by any integer
fn k(a: u32, k: i32, n: u64, i: usize) {
    let b = a << 3;
    let c = a >> k;
    let d = 1 << k;
    let e = n << i;
    let mut f = a;
    f <<= k;
    f >>= 2;
    let s = 3;
    let g = a << s;
}

//- comparisons and logic
fn k(a: f32, n: u32, c: bool) {
    let d = a > 0.0 && n != 0 || !c;
    let e = c ^ d;
    let f = c & d | e;
    let g = c == d;
    let mut h = c;
    h &= d;
    h |= e;
    h ^= f;
}

//- bits
fn k(n: u32, k: i64, i: usize) {
    let a = n & 0xff | 1 << 4 ^ !n;
    let b = !k;
    let c = i & 3;
    let mut d = n;
    d &= 1;
    d |= 2;
    d ^= 3;
    let e = !0 as u64;
}
