//! The values of the language against glam, whose order of operations they have: the same bits. And conversions from
//! and to other crates, and layouts.

use kernel_rt::value::*;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A number that is ordinary, tiny, huge, zero, infinite or NaN.
fn number(rng: &mut ChaCha8Rng) -> f64 {
    let ordinary = (rng.next_u32() as f64 / u32::MAX as f64 - 0.5) * 8.0;
    match rng.next_u32() % 16 {
        0 => 0.0,
        1 => -0.0,
        2 => ordinary * 1e30,
        3 => ordinary * 1e-30,
        4 if rng.next_u32().is_multiple_of(4) => f64::INFINITY,
        5 if rng.next_u32().is_multiple_of(4) => f64::NAN,
        _ => ordinary,
    }
}

/// The bits of numbers, with one value for all NaNs.
macro_rules! bits {
    ($numbers:expr) => {
        $numbers.map(|number| if number.is_nan() { 1 } else { number.to_bits() })
    };
}

/// Checks a type of vectors, with its matrices of as many rows and columns.
macro_rules! check_vectors {
    ($rng:expr, $scalar:ident: $($vector:ident $matrix:ident $size:literal;)*) => {$({
        let numbers = |rng: &mut ChaCha8Rng| -> [$scalar; $size] { std::array::from_fn(|_| number(rng) as $scalar) };
        for _ in 0..2000 {
            let (a, b, s) = (numbers($rng), numbers($rng), number($rng) as $scalar);
            let (v, w) = ($vector::from_array(a), $vector::from_array(b));
            let (p, q) = (glam::$vector::from_array(a), glam::$vector::from_array(b));
            macro_rules! same {
                (number $ours:expr, $theirs:expr) => {
                    assert_eq!(bits!([$ours]), bits!([$theirs]), "{}", stringify!($ours))
                };
                (matrix $ours:expr, $theirs:expr) => {
                    assert_eq!(
                        $ours.to_cols_array_2d().map(|column| bits!(column)),
                        $theirs.to_cols_array_2d().map(|column| bits!(column)),
                        "{}",
                        stringify!($ours)
                    )
                };
                ($ours:expr, $theirs:expr) => {
                    assert_eq!(bits!($ours.to_array()), bits!($theirs.to_array()), "{}", stringify!($ours))
                }
            }
            same!(v + w, p + q);
            same!(v - w, p - q);
            same!(v * w, p * q);
            same!(v / w, p / q);
            same!(v * s, p * s);
            same!(s * v, s * p);
            same!(v / s, p / s);
            same!(-v, -p);
            same!(v.min(w), p.min(q));
            same!(v.max(w), p.max(q));
            same!(v.abs(), p.abs());
            same!(v.normalize(), p.normalize());
            // As Warp's `normalize`; glam multiplies by the inverse of the length.
            same!(v.normalize_or_zero(), if p.length() > 0.0 { p / p.length() } else { glam::$vector::ZERO });
            same!(v.lerp(w, s), p.lerp(q, s));
            same!(v.reflect(w), p.reflect(q));
            same!(number v.dot(w), p.dot(q));
            same!(number v.length(), p.length());
            same!(number v.length_squared(), p.length_squared());
            same!(number v.distance(w), p.distance(q));
            same!(number v.distance_squared(w), p.distance_squared(q));
            same!(number v.min_element(), p.min_element());
            same!(number v.max_element(), p.max_element());
            same!(number v.element_sum(), p.element_sum());
            same!(number v.element_product(), p.element_product());
            let columns: [[$scalar; $size]; $size] = std::array::from_fn(|_| numbers($rng));
            let others: [[$scalar; $size]; $size] = std::array::from_fn(|_| numbers($rng));
            let (m, n) = ($matrix::from_cols_array_2d(columns), $matrix::from_cols_array_2d(others));
            let (k, l) = (glam::$matrix::from_cols_array_2d(&columns), glam::$matrix::from_cols_array_2d(&others));
            same!(matrix m + n, k + l);
            same!(matrix m - n, k - l);
            same!(matrix m * n, k * l);
            same!(matrix m * s, k * s);
            same!(matrix -m, -k);
            same!(matrix m.transpose(), k.transpose());
            same!(matrix m.inverse(), k.inverse());
            same!(matrix $matrix::from_diagonal(v), glam::$matrix::from_diagonal(p));
            same!(m * v, k * p);
            same!(m.row(1), k.row(1));
            same!(number m.determinant(), k.determinant());
            same!(matrix $matrix::from(k), k);
            same!(matrix glam::$matrix::from(m), k);
            same!($vector::from(p), p);
            same!(glam::$vector::from(v), p);
        }
    })*};
}

#[test]
fn vectors_and_matrices_have_the_bits_of_glam() {
    let rng = &mut ChaCha8Rng::seed_from_u64(27);
    check_vectors!(rng, f32: Vec2 Mat2 2; Vec3 Mat3 3; Vec4 Mat4 4;);
    check_vectors!(rng, f64: DVec2 DMat2 2; DVec3 DMat3 3; DVec4 DMat4 4;);
}

#[test]
fn quaternions_have_the_bits_of_glam() {
    let rng = &mut ChaCha8Rng::seed_from_u64(28);
    for _ in 0..2000 {
        let mut numbers = || -> [f32; 4] { std::array::from_fn(|_| number(rng) as f32) };
        let (a, b, [x, y, z, s]) = (numbers(), numbers(), numbers());
        let (q, r, v) = (Quat::from_array(a), Quat::from_array(b), Vec3::new(x, y, z));
        let (k, l, p) = (glam::Quat::from_array(a), glam::Quat::from_array(b), glam::Vec3::new(x, y, z));
        let pairs = [
            (q + r, k + l),
            (q - r, k - l),
            (q * r, k * l),
            (q * s, k * s),
            (q / s, k / s),
            (-q, -k),
            (q.conjugate(), k.conjugate()),
            (q.normalize(), k.normalize()),
            (k.into(), Quat::from(k).into()),
        ];
        for (place, (ours, theirs)) in pairs.into_iter().enumerate() {
            assert_eq!(bits!(ours.to_array()), bits!(theirs.to_array()), "pair {place}");
        }
        assert_eq!(bits!((q * v).to_array()), bits!((k * p).to_array()));
        assert_eq!(bits!([q.dot(r), q.length()]), bits!([k.dot(l), k.length()]));
    }
    let turned = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2) * Vec3::X;
    assert!(turned.distance(Vec3::Y) < 1e-6);
}

#[test]
fn integers_have_the_values_of_glam() {
    let (a, b) = (IVec3::new(3, -7, 2), IVec3::new(-1, 5, 9));
    let (p, q) = (glam::IVec3::from(a), glam::IVec3::from(b));
    let ours = [a + b, a - b, a * b, a / b, -a, a.min(b), a.max(b), a.abs()];
    let theirs = [p + q, p - q, p * q, p / q, -p, p.min(q), p.max(q), p.abs()];
    assert_eq!(ours.map(glam::IVec3::from), theirs);
    assert_eq!((a.dot(b), a.min_element(), a.element_product()), (p.dot(q), p.min_element(), p.element_product()));
}

#[test]
fn a_value_has_the_layout_of_an_array() {
    assert_eq!((size_of::<Vec4>(), align_of::<Vec4>()), (16, 4));
    assert_eq!((size_of::<Matrix<f64, 3, 5>>(), align_of::<Matrix<f64, 3, 5>>()), (120, 8));
    assert_eq!((size_of::<Quat>(), align_of::<Quat>()), (16, 4));
    let m = Matrix::<i64, 2, 3>::from_cols(
        Vector::<i64, 2>::new(1, 2),
        Vector::<i64, 2>::new(3, 4),
        Vector::<i64, 2>::new(5, 6),
    );
    assert_eq!(bytemuck::cast::<_, [i64; 6]>(m), [1, 2, 3, 4, 5, 6]);
    assert_eq!((m.z_axis.y, m.row(0).to_array(), m.transpose().col(1).to_array()), (6, [1, 3, 5], [2, 4, 6]));
}

#[test]
fn parts_are_places() {
    let mut v = Vec3::new(1.0, 2.0, 3.0);
    v.y += v.x;
    v[2] *= v.y;
    assert_eq!(v.to_array(), [1.0, 3.0, 9.0]);
    let mut m = Mat2::IDENTITY;
    m.y_axis.x = 4.0;
    m.col_mut(0)[1] = 5.0;
    assert_eq!(m.to_cols_array(), [1.0, 5.0, 4.0, 1.0]);
}

#[test]
fn any_size_computes() {
    let v = Vector::<f64, 6>::new(1.0, 2.0, 3.0, 4.0, 5.0, 6.0);
    let m = Matrix::<f64, 2, 6>::from_fn(|column| Vector::<f64, 2>::new(1.0, column as f64));
    assert_eq!(
        ((m * v).to_array(), (m * m.transpose()).to_cols_array_2d()),
        ([21.0, 70.0], [[6.0, 15.0], [15.0, 55.0]])
    );
    assert_eq!(
        (v.dot(v), v.min_element(), format!("{v:?}"), format!("{m}")),
        (
            91.0,
            1.0,
            "[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]".to_owned(),
            "[[1, 0], [1, 1], [1, 2], [1, 3], [1, 4], [1, 5]]".to_owned()
        )
    );
}

#[test]
#[should_panic(expected = "index out of bounds: the len is 3 but the index is 3")]
fn an_index_out_of_bounds_panics() {
    let _ = Vec3::ZERO[std::hint::black_box(3)];
}

#[test]
fn other_crates_have_the_same_values() {
    let m = Matrix::<f32, 2, 3>::from_cols_array_2d([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]);
    let theirs = nalgebra::SMatrix::<f32, 2, 3>::from(m);
    assert_eq!((theirs[(1, 2)], Matrix::from(theirs)), (6.0, m));
    let theirs = mint::ColumnMatrix2x3::from(m);
    assert_eq!((theirs.z.y, Matrix::from(theirs)), (6.0, m));
    let v = Vec3::new(1.0, 2.0, 3.0);
    assert_eq!(Vec3::from(mint::Vector3::from(v)), v);
    assert_eq!(Vec3::from(nalgebra::Vector3::from(v)), v);
    let q = Quat::from_xyzw(1.0, 2.0, 3.0, 4.0);
    assert_eq!((nalgebra::Quaternion::from(q).w, Quat::from(nalgebra::Quaternion::from(q))), (4.0, q));
    assert_eq!((mint::Quaternion::from(q).s, Quat::from(mint::Quaternion::from(q))), (4.0, q));
}
