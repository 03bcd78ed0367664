//! The seed corpus of the fuzzer.

/// Kernels that use the whole language between them.
pub(super) const CORPUS: [&str; 13] = [
    "/// y = a x + y.
    fn saxpy(#[domain(-2.0..2.0)] a: f32, #[domain(-1.0..1.0)] x: &[f32], #[domain(-1.0..1.0)] y: &mut [f32]) {
        let i = tid();
        y[i] += a * x[i];
    }",
    "fn masked(x: &[f32], mask: Option<&[u32]>, mut out: Option<&mut [f32]>, #[shape(dim0, 2)] g: Option<&mut Array2<f32>>) {
        let i = tid();
        if let Some(mask) = mask && mask[i] != 0 && out.is_some() { return; }
        if let Some(o) = &mut out { o[i] += if mask.is_none() { x[i] } else { 1.0 }; } else if let Some(m) = mask { }
        if let Some(o) = out.as_deref_mut() { o[o.len() - 1] = 2.0; }
        let Some(g) = g else { return };
        g[[i, 1]] = x[i] + g.shape()[1] as f32;
    }",
    "fn pendulum(k: f32, steps: i32, start: &[f32], end: &mut [f32]) {
        let i = tid();
        let mut p = start[i];
        let mut v = 0.0;
        for _ in 0..steps { v -= 0.01 * k * p.sin(); p += 0.01 * v; }
        end[i] = p;
    }",
    "fn matmul(a: &Array2<f32>, #[shape(a.shape()[1], dim1)] b: &Array2<f32>, c: &mut Array2<f32>) {
        let (i, j) = tid2();
        let mut sum = 0.0;
        for k in 0..a.shape()[1] { sum += a[[i, k]] * b[[k, j]]; }
        c[[i, j]] = sum;
    }",
    "fn newton(x: &[f64], root: &mut [f64]) {
        let i = tid();
        let mut y = if x[i] > 1.0 { x[i] * 0.5 } else { 1.0 };
        let mut n = 0;
        while (y * y - x[i]).abs() > 1e-12 && n < 50 { y -= (y * y - x[i]) / (2.0 * y); n += 1; }
        loop { if n > 3 { break; } n += 1; if n == 2 { continue; } }
        root[i] = y;
    }",
    "fn histogram(values: &[u32], #[shape(16)] counts: &mut [i32], last: &mut [i32]) {
        let i = tid();
        let bin = (values[i] >> 3 & 0xf) as usize;
        let old = atomic_add(&mut counts[bin], 1);
        last[i] = if old % 2 == 0 { old } else { -old.wrapping_mul(3) };
        let next = atomic_sub(&mut counts[1], 2) + 1;
        atomic_max(&mut counts[0], next);
    }",
    "fn rotate(q: Quat, m: Mat3, v: &[Vec3], mut scale: f32, out: &mut [Vec3]) {
        let i = tid();
        let u = (q * v[i]).normalize();
        scale *= 2.0;
        let mut w = m * u + Vec3::new(scale, 1.0, -0.5) * 3.0;
        w.x += u.dot(w);
        w[1] = w.y.clamp(-1.0, 1.0);
        out[i] = w.cross(Vec3::X) - m.col(2) + m.transpose().x_axis;
    }",
    "fn order(out: &mut [f32], mut p: f32, mut k: usize) {
        let i = tid();
        let q = if p > 0.0 { let t = p * 2.0; t } else if p < -1.0 { return; } else { 3.0 };
        out[{ k += 1; k % 4 }] += { p *= 2.0; p + q };
        out[i] = if p > 1.0 && { p += 1.0; p > 2.0 } { p.max(0.0) } else { q } + { p *= 2.0; p };
        while { k += 1; k < 9 } { out[k] = p; }
    }",
    "fn constants(out: &mut [f64], n: i64) {
        const N: i32 = 4;
        const HALF: f64 = 0.5;
        let x = std::f64::consts::PI * HALF + f64::EPSILON;
        let big = i32::MAX - N;
        let y: f64;
        if n > 0 { y = x; } else { y = -1.5e3; }
        out[0] = y.powi(N) + big as f64 + 0x10 as f64 + (n << 2 | 1_000i64) as f64;
        out[1] = f64::max(y, 2.0).mul_add(3.0, -x);
    }",
    "fn ranges(n: i32, #[domain(0..n)] x: &[i32], out: &mut [i32]) {
        let i = tid();
        let mut s = 0;
        for j in (0..n).rev().step_by(2) { for k in j..=n { if k == j { continue; } s += x[k as usize] - j; } }
        for j in (0..x.len()).step_by(3) { s ^= x[j]; }
        out[i] = s.rem_euclid(7) + i as i32;
    }",
    "fn matrices(m: &mut [DMat2], k: usize) {
        let i = tid();
        let mut a = m[i] * 2.0 - DMat2::IDENTITY;
        a.col_mut(0).x = a.determinant();
        *a.col_mut(k) *= 0.5;
        a.y_axis.y += a.row(1).element_sum();
        m[i] = a.inverse() * DMat2::from_cols(DVec2::ONE, DVec2::Y);
    }",
    "fn grid(#[shape(dim0, dim1, 2)] t: &mut Array3<f32>, s: bool, u: UVec4) {
        let (_, mut j) = tid2();
        let (i, _): (usize, usize) = tid2();
        j = j.min(3);
        let s = !s ^ (u.x > 1 || u[2] == 3);
        t[[i, j, 1]] = if s { 1.0 } else { { 2.0 } };
    }",
    "fn volume(a: &Array4<f64>, #[shape(dim0)] out: &mut [f64]) {
        let (i, j, k, l) = tid4();
        let v = DVec3::splat(a[[i, j, k, l]]).extend(1.0).truncate();
        atomic_add(&mut out[i], (v / v.length()).dot(v) as f32 as f64);
    }",
];

/// Words and signs that are valid in kernels, and some that are not.
pub(super) const VOCABULARY: &str = "let mut if else for in while loop break continue return as const fn match true false _ \
    f32 f64 i32 u32 i64 u64 bool usize u8 Vec2 Vec3 DVec4 IVec2 UVec3 Mat3 DMat2 Quat Array2 tid tid2 tid3 tid4 \
    atomic_add atomic_min x y i j k out m v w q new splat from_cols X ZERO IDENTITY MAX NAN std consts PI \
    sin sqrt powi max clamp dot cross length col col_mut row x_axis shape len rev step_by wrapping_add truncate \
    + - * / % ! & | ^ < > = == != <= >= && || << >> += -= *= /= <<= &= . , ; : :: .. ..= -> => # @ ? $ ' ~ \
    0 1 2 3 7 0.0 1.0 0.5 2.5e3 1e-3 1_f32 2i64 0xff 1u8 1e999 'a' \"text\" unsafe move ref static where self crate";

/// Numbers at the limits of the types, and far beyond.
pub(super) const NUMBERS: [&str; 14] = [
    "2147483647",
    "2147483648",
    "4294967296",
    "18446744073709551616",
    "170141183460469231731687303715884105728",
    "99999999999999999999999999999999999999999999999999",
    "1e40",
    "1e400",
    "1e-400",
    "0xffffffffffffffffffffffffffffffffffffffff",
    "3.4028236e38f32",
    "5_000_000_000usize",
    "0b1111_1111_u64",
    "1f64",
];
