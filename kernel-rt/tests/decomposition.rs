//! The decompositions of the library: the factors and their product in double precision, values against nalgebra, for
//! ordinary matrices and for singular, graded, huge and tiny ones.

use kernel_rt::library::*;
use kernel_rt::prelude::*;

const EPSILON: f64 = f32::EPSILON as f64;

type M2 = nalgebra::Matrix2<f64>;
type M3 = nalgebra::Matrix3<f64>;

/// A number from -1 to 1 for each number.
fn noise(k: usize) -> f32 {
    let mixed = (k as u32 ^ 0x9e37).wrapping_mul(0x85eb_ca6b);
    let mixed = (mixed ^ mixed >> 13).wrapping_mul(0xc2b2_ae35);
    (mixed >> 8) as f32 / (1 << 23) as f32 - 1.0
}

fn wide<const R: usize, const C: usize>(m: Matrix<f32, R, C>) -> nalgebra::SMatrix<f64, R, C> {
    let columns = m.to_cols_array_2d();
    nalgebra::SMatrix::from_fn(|i, j| f64::from(columns[j][i]))
}

fn random3(k: usize) -> Mat3 {
    Mat3::from_fn(|j| Vector::from_array([noise(9 * k + 3 * j), noise(9 * k + 3 * j + 1), noise(9 * k + 3 * j + 2)]))
}

fn rotation(k: usize) -> Mat3 {
    qr3(random3(k)).0
}

/// Random matrices, and hostile ones.
fn matrices3() -> impl Iterator<Item = Mat3> {
    let values = [
        [0.0, 0.0, 0.0],
        [1.0, 1.0, 1.0],
        [2.0, 2.0, 1.0],
        [2.0, 1.0, 1.0],
        [1.0, 1.0, -1.0],
        [3.0, 0.0, 0.0],
        [3.0, 2.0, 0.0],
        [1.0, 1e-4, 1e-8],
        [1.0, 1e-15, 1e-30],
        [1e30, 1e25, 1e20],
        [1e-30, 1e-32, 1e-35],
        [1.0, 1.000_001, 0.999_999],
        [5.0, -4.0, 3.0],
    ];
    let plain = values.map(|[a, b, c]| Mat3::from_diagonal(Vec3::new(a, b, c)));
    let turned = (0..200).map(move |k| rotation(k) * plain[k % plain.len()] * rotation(k + 500).transpose());
    let shear = Mat3::from_cols(Vec3::X, Vec3::new(1e6, 1.0, 0.0), Vec3::new(0.0, 1e6, 1.0));
    let ones = Mat3::from_cols(Vec3::ONE, Vec3::ONE, Vec3::ONE);
    (0..2000).map(random3).chain(plain).chain(turned).chain([shear, ones])
}

fn matrices2() -> impl Iterator<Item = Mat2> {
    let random = |k: usize| {
        Mat2::from_cols(Vec2::new(noise(4 * k), noise(4 * k + 1)), Vec2::new(noise(4 * k + 2), noise(4 * k + 3)))
    };
    let hostile = [
        [0.0, 0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0, 1.0],
        [0.0, 1.0, 1.0, 0.0],
        [0.0, 1.0, -1.0, 0.0],
        [0.0, 3.0, 0.0, 0.0],
        [1.0, 1.0, 1.0, 1.0],
        [1.0, 1e10, 1e-10, 1.0],
        [1e30, -1e30, 1e29, 1e30],
        [1e-30, 2e-30, -1e-31, 0.0],
        [2.0, 1e-20, 1e-20, 1.0],
    ];
    (0..2000).map(random).chain(hostile.map(|[a, b, c, d]| Mat2::from_cols(Vec2::new(a, b), Vec2::new(c, d))))
}

/// The largest entry of the difference, in units of `EPSILON` times `scale`.
fn units<const R: usize, const C: usize>(
    a: nalgebra::SMatrix<f64, R, C>,
    b: nalgebra::SMatrix<f64, R, C>,
    scale: f64,
) -> f64 {
    let most =
        (a - b).iter().fold(0.0, |most: f64, entry| if entry.is_nan() { f64::NAN } else { most.max(entry.abs()) });
    if most == 0.0 { 0.0 } else { most / (EPSILON * scale) }
}

#[track_caller]
fn below(found: f64, most: f64, of: &str) {
    assert!(found <= most, "{of}: {found} units");
}

#[test]
fn svd3_is_accurate() {
    for a in matrices3() {
        let (u, s, v) = svd3(a);
        let (u, v, a) = (wide(u), wide(v), wide(a));
        let s = s.to_array().map(f64::from);
        let truth = a.svd(false, false).singular_values;
        below(units(u.transpose() * u, M3::identity(), 1.0), 8.0, &format!("U of {a}"));
        below(units(v.transpose() * v, M3::identity(), 1.0), 8.0, &format!("V of {a}"));
        let product = u * M3::from_diagonal(&s.into()) * v.transpose();
        below(units(product, a, truth.max()), 6.0, &format!("the product of {a}"));
        let mut sorted: Vec<f64> = truth.iter().copied().collect();
        sorted.sort_by(|a, b| b.total_cmp(a));
        let found = nalgebra::Vector3::new(s[0], s[1], s[2].abs());
        below(units(found, nalgebra::Vector3::from_vec(sorted), truth.max()), 4.0, &format!("values of {a}"));
        assert!(u.determinant() > 0.5 && v.determinant() > 0.5);
        assert!(s[0] >= s[1] && s[1] >= s[2].abs());
        assert!(s[2] * a.determinant() >= -EPSILON * truth.max().powi(4));
    }
}

#[test]
fn svd2_is_accurate() {
    for a in matrices2() {
        let (u, s, v) = svd2(a);
        let (u, v, a) = (wide(u), wide(v), wide(a));
        let s = s.to_array().map(f64::from);
        let truth = a.svd(false, false).singular_values;
        below(units(u.transpose() * u, M2::identity(), 1.0), 6.0, &format!("U of {a}"));
        below(units(v.transpose() * v, M2::identity(), 1.0), 6.0, &format!("V of {a}"));
        let product = u * M2::from_diagonal(&s.into()) * v.transpose();
        below(units(product, a, truth.max()), 3.0, &format!("the product of {a}"));
        let truth = nalgebra::Vector2::new(truth.max(), truth.min());
        below(units(s.into(), truth, truth.max()), 3.0, &format!("values of {a}"));
        assert!(s[0] >= s[1] && s[1] >= 0.0 && v.determinant() > 0.5);
    }
}

#[test]
fn eigenvalues_are_accurate() {
    for a in matrices3().map(|a| a + a.transpose()) {
        let (q, d) = eig3(a);
        let (q, a) = (wide(q), wide(a));
        let d = nalgebra::Vector3::from(d.to_array().map(f64::from));
        let mut truth: Vec<f64> = a.symmetric_eigenvalues().iter().copied().collect();
        truth.sort_by(|a, b| b.total_cmp(a));
        let scale = truth[0].abs().max(truth[2].abs());
        below(units(q.transpose() * q, M3::identity(), 1.0), 10.0, &format!("Q of {a}"));
        below(units(q * M3::from_diagonal(&d) * q.transpose(), a, scale), 6.0, &format!("{a}"));
        below(units(d, nalgebra::Vector3::from_vec(truth), scale), 3.0, &format!("values of {a}"));
        assert!(q.determinant() > 0.5 && d[0] >= d[1] && d[1] >= d[2]);
    }
    for a in matrices2().map(|a| a + a.transpose()) {
        let (q, d) = eig2(a);
        let (q, a) = (wide(q), wide(a));
        let d = nalgebra::Vector2::from(d.to_array().map(f64::from));
        let truth = a.symmetric_eigenvalues();
        let truth = nalgebra::Vector2::new(truth.max(), truth.min());
        let scale = truth[0].abs().max(truth[1].abs());
        below(units(q.transpose() * q, M2::identity(), 1.0), 4.0, &format!("Q of {a}"));
        below(units(q * M2::from_diagonal(&d) * q.transpose(), a, scale), 4.0, &format!("{a}"));
        below(units(d, truth, scale), 3.0, &format!("values of {a}"));
        assert!(q.determinant() > 0.5 && d[0] >= d[1]);
    }
}

#[test]
fn qr_and_polar_are_accurate() {
    for a in matrices3() {
        let scale = wide(a).norm();
        if scale > 1e-18 && scale < 1e18 {
            let (q, r) = qr3(a);
            assert_eq!([r.x_axis.y, r.x_axis.z, r.y_axis.z], [0.0; 3]);
            assert!(r.x_axis.x >= 0.0 && r.y_axis.y >= 0.0);
            let (q, r) = (wide(q), wide(r));
            below(units(q.transpose() * q, M3::identity(), 1.0), 8.0, &format!("Q of {a}"));
            below(units(q * r, wide(a), scale), 3.0, &format!("the product of {a}"));
        }
        let (r, s) = polar3(a);
        let (r, s) = (wide(r), wide(s));
        below(units(r.transpose() * r, M3::identity(), 1.0), 10.0, &format!("R of {a}"));
        below(units(r * s, wide(a), scale), 6.0, &format!("the product of {a}"));
        assert!(r.determinant() > 0.5 && s == s.transpose());
    }
    for a in
        matrices2().filter(|a| (a.x_axis.x + a.y_axis.y).hypot(a.x_axis.y - a.y_axis.x) > 1e-18 && a.x_axis.x < 1e18)
    {
        let (r, s) = polar2(a);
        let (r, s) = (wide(r), wide(s));
        let scale = wide(a).norm();
        below(units(r.transpose() * r, M2::identity(), 1.0), 4.0, &format!("R of {a}"));
        assert!(r.determinant() > 0.5 && s == s.transpose());
        if f64::from(a.determinant()) > 1e-3 * scale * scale {
            below(units(r * s, wide(a), scale), 3.0, &format!("the product of {a}"));
        }
    }
}

#[test]
fn systems_are_solved() {
    fn check<const N: usize>() {
        for k in 0..200 {
            let vector = |of: usize| Vector::<f32, N>::from_array(std::array::from_fn(|i| noise(of * 31 + i)));
            let a = Matrix::<f32, N, N>::from_fn(|j| vector(k * 17 + j));
            let b = vector(k + 9999);
            let wide_b = nalgebra::SVector::<f64, N>::from_fn(|i, _| f64::from(b[i]));
            // The residual is small beside |a|·|x|, whatever the condition of the matrix is.
            let residual = |m: Matrix<f32, N, N>, x: Vector<f32, N>| {
                let x = nalgebra::SVector::<f64, N>::from_fn(|i, _| f64::from(x[i]));
                units(wide(m) * x, wide_b, wide(m).norm() * x.norm())
            };
            below(residual(a, lu_solve(a, b)), 2.0, "the solution by elimination");
            let positive = a * a.transpose() + Matrix::<f32, N, N>::from_diagonal(Vector::splat(0.01));
            below(residual(positive, cholesky_solve(positive, b)), 2.0, "the solution by Cholesky");
            let l = wide(cholesky(positive));
            below(units(l * l.transpose(), wide(positive), wide(positive).norm()), 2.0, "the factor");
            assert!((0..N).all(|j| (0..j).all(|i| l[(i, j)] == 0.0)));
        }
    }
    check::<1>();
    check::<2>();
    check::<3>();
    check::<6>();
    check::<9>();
    assert!(!cholesky(Mat2::from_cols(Vec2::new(1.0, 2.0), Vec2::new(2.0, 1.0))).y_axis.y.is_finite());
    assert!(!lu_solve(Mat2::from_cols(Vec2::new(1.0, 2.0), Vec2::new(2.0, 4.0)), Vec2::X).x.is_finite());
    // Rows change places where the first pivot is zero.
    assert_eq!(lu_solve(Mat2::from_cols(Vec2::Y, Vec2::X), Vec2::new(3.0, 5.0)), Vec2::new(5.0, 3.0));
}

#[test]
fn double_precision_is_accurate() {
    for a in matrices3() {
        let numbers = a.to_cols_array().map(f64::from);
        let m = DMat3::from_cols_array(&numbers);
        let (u, s, v) = svd3(m);
        let difference = u * DMat3::from_diagonal(s) * v.transpose() - m;
        let most = difference.to_cols_array().into_iter().fold(0.0, |most: f64, entry| most.max(entry.abs()));
        assert!(most <= 20.0 * f64::EPSILON * s.x, "{m}: {most:e}");
        let (q, d) = eig3(m + m.transpose());
        let difference = q * DMat3::from_diagonal(d) * q.transpose() - (m + m.transpose());
        let most = difference.to_cols_array().into_iter().fold(0.0, |most: f64, entry| most.max(entry.abs()));
        assert!(most <= 20.0 * f64::EPSILON * d.x.abs().max(d.z.abs()), "{m}: {most:e}");
    }
    let m = DMat2::from_cols_array(&[0.3, 0.4, -0.7, 2.0]);
    let (u, s, v) = svd2(m);
    let difference = u * DMat2::from_diagonal(s) * v.transpose() - m;
    assert!(difference.to_cols_array().into_iter().all(|entry| entry.abs() < 1e-15));
}

#[test]
fn what_is_not_finite_is_seen() {
    for wrong in [f32::NAN, f32::INFINITY] {
        let mut a = Mat3::IDENTITY;
        a.y_axis.z = wrong;
        assert!(!svd3(a).1.x.is_finite() || !svd3(a).1.y.is_finite() || !svd3(a).1.z.is_finite());
        assert!(!eig3(a).1.x.is_finite() || !eig3(a).1.y.is_finite() || !eig3(a).1.z.is_finite());
    }
}

/// Functions of the factors that have a derivative where values are equal, and one that does not.
#[kernel]
fn smooth(a: &[DMat3], rotation: &mut [DMat3], stretch: &mut [DMat3], sums: &mut [f64]) {
    let i = tid();
    let (r, s) = polar3(a[i]);
    rotation[i] = r;
    stretch[i] = s;
    sums[i] = svd3(a[i]).1.length_squared() + eig3(a[i]).1.length_squared();
}

#[kernel]
fn vectors(a: &[DMat3], eigen: &mut [DMat3], left: &mut [DMat3], right: &mut [DMat3]) {
    let i = tid();
    eigen[i] = eig3(a[i]).0;
    let (u, _, v) = svd3(a[i]);
    left[i] = u;
    right[i] = v;
}

#[kernel]
fn upper(a: &[DMat3], q: &mut [DMat3]) {
    let i = tid();
    q[i] = qr3(a[i]).0;
}

/// The sums of the products of the elements.
fn inner(a: DMat3, b: DMat3) -> f64 {
    ddot(a, b)
}

fn turn(k: usize) -> DMat3 {
    qr3(DMat3::from_cols_array(&random3(k).to_cols_array().map(f64::from))).0
}

/// The central difference of `loss` at `a` along each element.
fn differences(a: DMat3, loss: impl Fn(DMat3) -> f64) -> DMat3 {
    let along = |number: usize| {
        let mut step = [0.0; 9];
        step[number] = 1e-5;
        let step = DMat3::from_cols_array(&step);
        (loss(a + step) - loss(a - step)) / 2e-5
    };
    DMat3::from_cols_array(&std::array::from_fn(along))
}

#[track_caller]
fn agree(found: DMat3, truth: DMat3, of: DMat3) {
    let apart = (found - truth).to_cols_array().into_iter().fold(0.0, |most: f64, entry| most.max(entry.abs()));
    assert!(apart < 1e-7, "{of}: {found} is not {truth}");
}

/// Matrices with equal singular values, as they are and turned.
fn with_equal_values() -> impl Iterator<Item = DMat3> {
    let values =
        [[1.0, 1.0, 1.0], [2.0, 2.0, 2.0], [2.0, 2.0, 1.0], [2.0, 1.0, 1.0], [1.0, 1.0, -0.5], [1.0, 1.0, 0.0]];
    let plain = values.map(|[a, b, c]| DMat3::from_diagonal(Vector::from_array([a, b, c])));
    let turned = (0..40).map(move |k| turn(k) * plain[k % plain.len()] * turn(k + 77).transpose());
    plain.into_iter().chain(turned)
}

#[test]
fn polar_and_values_have_derivatives_where_values_are_equal() {
    let weights = DMat3::from_cols_array(&[0.3, -0.7, 1.1, 0.2, 0.9, -0.4, -1.3, 0.6, 0.5]);
    for a in with_equal_values() {
        let mut gradient = [DMat3::ZERO];
        let (mut by_rotation, mut by_stretch, mut by_sums) = ([weights], [DMat3::ZERO], [0.0]);
        smooth::cpu_backward(1, &[a], &mut gradient, &mut by_rotation, &mut by_stretch, &mut by_sums).unwrap();
        agree(gradient[0], differences(a, |a| inner(polar3(a).0, weights)), a);

        let mut gradient = [DMat3::ZERO];
        let (mut by_rotation, mut by_stretch, mut by_sums) = ([DMat3::ZERO], [weights], [0.5]);
        smooth::cpu_backward(1, &[a], &mut gradient, &mut by_rotation, &mut by_stretch, &mut by_sums).unwrap();
        let loss =
            |a: DMat3| inner(polar3(a).1, weights) + 0.5 * (svd3(a).1.length_squared() + eig3(a).1.length_squared());
        agree(gradient[0], differences(a, loss), a);
    }
}

/// The gradients of the losses with these weights of the columns of the eigenvectors, of U and of V.
fn by_vectors(a: DMat3, weights: [DMat3; 3]) -> DMat3 {
    let mut gradient = [DMat3::ZERO];
    let [eigen, left, right] = weights;
    vectors::cpu_backward(1, &[a], &mut gradient, &mut [eigen], &mut [left], &mut [right]).unwrap();
    gradient[0]
}

#[test]
fn vectors_of_equal_values_have_no_derivative() {
    let column =
        |k: usize| DMat3::from_fn(|j| if j == k { Vector::from_array([0.3, -0.8, 0.5]) } else { Vector::ZERO });
    let is_nan = |m: DMat3| m.to_cols_array().into_iter().any(f64::is_nan);
    for k in 0..20 {
        let q = turn(k);
        let a = q * DMat3::from_diagonal(Vector::from_array([2.0, 2.0, 1.0])) * q.transpose();
        for number in 0..2 {
            assert!(is_nan(by_vectors(a, [column(number), DMat3::ZERO, DMat3::ZERO])));
            assert!(is_nan(by_vectors(a, [DMat3::ZERO, column(number), DMat3::ZERO])));
            assert!(is_nan(by_vectors(a, [DMat3::ZERO, DMat3::ZERO, column(number)])));
        }
        // The vector of the other value has one, here in losses that do not depend on its sign.
        let weights = DMat3::from_cols_array(&[0.3, -0.7, 1.1, 0.2, 0.9, -0.4, -1.3, 0.6, 0.5]);
        let third = |v: DVec3| DMat3::from_cols(DVec3::ZERO, DVec3::ZERO, v);
        let axis = |a: DMat3| eig3(a).0.z_axis;
        let found = by_vectors(a, [third((weights + weights.transpose()) * axis(a)), DMat3::ZERO, DMat3::ZERO]);
        agree(found, differences(a, |a| inner(axis(a).outer(axis(a)), weights)), a);
        let (u, _, v) = svd3(a);
        let (left, right) = (third(weights * v.z_axis), third(weights.transpose() * u.z_axis));
        let found = by_vectors(a, [DMat3::ZERO, left, right]);
        agree(found, differences(a, |a| inner(svd3(a).0.z_axis.outer(svd3(a).2.z_axis), weights)), a);
    }
}

#[test]
fn decompositions_without_a_derivative_give_nan() {
    let is_nan = |m: DMat3| m.to_cols_array().into_iter().any(f64::is_nan);
    let nearest = |values: [f64; 3]| {
        let mut gradient = [DMat3::ZERO];
        let weights = DMat3::from_cols_array(&[0.3, -0.7, 1.1, 0.2, 0.9, -0.4, -1.3, 0.6, 0.5]);
        let a = DMat3::from_diagonal(Vector::from_array(values));
        let mut rest = ([DMat3::ZERO], [0.0]);
        smooth::cpu_backward(1, &[a], &mut gradient, &mut [weights], &mut rest.0, &mut rest.1).unwrap();
        gradient[0]
    };
    // The nearest rotation jumps at both matrices.
    assert!(is_nan(nearest([1.0, 0.5, -0.5])) && is_nan(nearest([1.0, 0.0, 0.0])));
    assert!(!is_nan(nearest([1.0, 0.5, -0.25])));
    let mut gradient = [DMat3::ZERO];
    let columns = DMat3::from_cols_array(&[1.0, 2.0, 3.0, 2.0, 4.0, 6.0, 0.0, 0.0, 1.0]);
    upper::cpu_backward(1, &[columns], &mut gradient, &mut [DMat3::IDENTITY]).unwrap();
    assert!(is_nan(gradient[0]));
}
