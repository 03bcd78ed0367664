//! Matrices and quaternions. The order of operations is that of `kernel-rt`, so that results are bitwise
//! equal.

use super::operands::{Operands, Outcome, undefined};
use super::vector::{cross, dot, scale};
use crate::interp::Algebra;
use crate::interp::value::{Matrix, Shaped, Vector};
use crate::ops::Op;

/// Arithmetic with a matrix or quaternion operand.
pub(super) fn arithmetic<N: Algebra>(op: Op, a: &Shaped<N>, b: &Shaped<N>) -> Outcome<Shaped<N>> {
    Ok(match (op, a, b) {
        (Op::Neg, Shaped::Matrix(m), _) => Shaped::Matrix(m.map(|a| -a)),
        (Op::Add, Shaped::Matrix(m), Shaped::Matrix(n)) => Shaped::Matrix(m.zip(n, |a, b| a + b)),
        (Op::Sub, Shaped::Matrix(m), Shaped::Matrix(n)) => Shaped::Matrix(m.zip(n, |a, b| a - b)),
        (Op::Mul, Shaped::Matrix(m), Shaped::Scalar(s)) | (Op::Mul, Shaped::Scalar(s), Shaped::Matrix(m)) => {
            Shaped::Matrix(m.map(|a| a * *s))
        }
        (Op::Mul, Shaped::Matrix(m), Shaped::Vector(v)) => Shaped::Vector(transform(m, v)),
        (Op::Mul, Shaped::Matrix(m), Shaped::Matrix(n)) => {
            Shaped::Matrix(Matrix::from_fn(n.columns(), |j| transform(m, n.col(j))))
        }
        (Op::Neg, Shaped::Quat(q), _) => Shaped::Quat(scale(q, N::constant(-1.0))),
        (Op::Add, Shaped::Quat(p), Shaped::Quat(q)) => Shaped::Quat(p.zip(q, |a, b| a + b)),
        (Op::Sub, Shaped::Quat(p), Shaped::Quat(q)) => Shaped::Quat(p.zip(q, |a, b| a - b)),
        (Op::Mul, Shaped::Quat(q), Shaped::Scalar(s)) => Shaped::Quat(scale(q, *s)),
        (Op::Div, Shaped::Quat(q), Shaped::Scalar(s)) => Shaped::Quat(q.map(|a| a / *s)),
        (Op::Mul, Shaped::Quat(p), Shaped::Quat(q)) => Shaped::Quat(hamilton(p, q, |a, b| a * b)),
        (Op::Mul, Shaped::Quat(q), Shaped::Vector(v)) => Shaped::Vector(rotate(q, v)),
        (Op::StrongMul, Shaped::Matrix(m), Shaped::Scalar(s)) => Shaped::Matrix(m.map(|a| a.strong_mul(*s))),
        (Op::StrongMul, Shaped::Scalar(s), Shaped::Matrix(m)) => Shaped::Matrix(m.map(|a| s.strong_mul(a))),
        (Op::StrongMul, Shaped::Vector(v), Shaped::Matrix(m)) => {
            Shaped::Vector(Vector::from_fn(m.columns(), |j| strong_sum(m.rows(), |i| (v.get(i), m.at(j, i)))))
        }
        (Op::StrongMul, Shaped::Matrix(m), Shaped::Matrix(n)) => {
            let entry = |j: usize, i: usize| strong_sum(m.columns(), |k| (m.at(k, i), n.at(j, k)));
            Shaped::Matrix(Matrix::from_fn(n.columns(), |j| Vector::from_fn(m.rows(), |i| entry(j, i))))
        }
        (Op::StrongMul, Shaped::Quat(q), Shaped::Scalar(s)) => Shaped::Quat(q.map(|a| a.strong_mul(*s))),
        (Op::StrongMul, Shaped::Scalar(s), Shaped::Quat(q)) => Shaped::Quat(q.map(|a| s.strong_mul(a))),
        (Op::StrongDiv, Shaped::Quat(q), Shaped::Scalar(s)) => Shaped::Quat(q.map(|a| a.strong_div(*s))),
        (Op::StrongMul, Shaped::Quat(p), Shaped::Quat(q)) => Shaped::Quat(hamilton(p, q, N::strong_mul)),
        _ => return Err(undefined(op)),
    })
}

/// The operations that exist only for matrices and quaternions.
pub(super) fn build<N: Algebra>(op: Op, x: &Operands<N>) -> Outcome<Shaped<N>> {
    Ok(match (op, x.all) {
        (Op::MatFromCols, cols) => {
            let column = |col: &&Shaped<N>| if let Shaped::Vector(v) = col { Some(*v) } else { None };
            let cols: Option<Vec<Vector<N>>> = cols.iter().map(column).collect();
            let cols = cols.ok_or_else(|| undefined(op))?;
            Shaped::Matrix(Matrix::from_fn(x.ret.parts().into(), |j| cols[j]))
        }
        (Op::FromDiagonal, [Shaped::Vector(v), ..]) => {
            let entry = |j, i| if i == j { v.get(i) } else { N::constant(0.0) };
            Shaped::Matrix(Matrix::from_fn(v.len(), |j| Vector::from_fn(v.len(), |i| entry(j, i))))
        }
        (Op::Outer, [Shaped::Vector(a), Shaped::Vector(b), ..]) => {
            Shaped::Matrix(Matrix::from_fn(b.len(), |j| scale(a, b.get(j))))
        }
        (Op::Skew, [Shaped::Vector(v), ..]) => {
            let (zero, [x, y, z]) = (N::constant(0.0), [0, 1, 2].map(|i| v.get(i)));
            let entries = [[zero, z, -y], [-z, zero, x], [y, -x, zero]];
            Shaped::Matrix(Matrix::from_fn(3, |j| Vector::from_fn(3, |i| entries[j][i])))
        }
        (Op::QuatNew, _) => {
            let components = x.scalars().ok_or_else(|| undefined(op))?;
            Shaped::Quat(Vector::from_fn(4, |i| components[i]))
        }
        (Op::Row, [Shaped::Matrix(m), ..]) => {
            let row = x.number.and_then(|row| usize::try_from(row).ok()).filter(|row| *row < m.rows());
            let row = row.ok_or_else(|| undefined(op))?;
            Shaped::Vector(Vector::from_fn(m.columns(), |j| m.at(j, row)))
        }
        (Op::Transpose, [Shaped::Matrix(m), ..]) => Shaped::Matrix(transpose(m)),
        (Op::Trace, [Shaped::Matrix(m), ..]) => {
            Shaped::Scalar((1..m.columns()).fold(m.at(0, 0), |sum, k| sum + m.at(k, k)))
        }
        (Op::Determinant, [Shaped::Matrix(m), ..]) => Shaped::Scalar(determinant(m)),
        (Op::Inverse, [Shaped::Matrix(m), ..]) => Shaped::Matrix(inverse(m)),
        (Op::Inverse | Op::Conjugate, [Shaped::Quat(q), ..]) => {
            Shaped::Quat(Vector::from_fn(4, |i| if i < 3 { -q.get(i) } else { q.get(i) }))
        }
        _ => return Err(undefined(op)),
    })
}

/// Matrix times vector: the weighted columns, added from the first to the last.
fn transform<N: Algebra>(m: &Matrix<N>, v: &Vector<N>) -> Vector<N> {
    let weighted = |j: usize| scale(m.col(j), v.get(j));
    (1..m.columns()).fold(weighted(0), |sum, j| sum.zip(&weighted(j), |a, b| a + b))
}

fn transpose<N: Algebra>(m: &Matrix<N>) -> Matrix<N> {
    Matrix::from_fn(m.rows(), |j| Vector::from_fn(m.columns(), |i| m.at(i, j)))
}

/// The sum of `count` products with strong first factors.
fn strong_sum<N: Algebra>(count: usize, factors: impl Fn(usize) -> (N, N)) -> N {
    let product = |i: usize| {
        let (a, b) = factors(i);
        a.strong_mul(b)
    };
    (1..count).fold(product(0), |sum, i| sum + product(i))
}

/// Hamilton's product; `times` multiplies components.
fn hamilton<N: Algebra>(p: &Vector<N>, q: &Vector<N>, times: impl Fn(N, N) -> N) -> Vector<N> {
    let times = &times;
    let [x, y, z, w] = [0, 1, 2, 3].map(|i| move |j| times(p.get(i), q.get(j)));
    let product =
        [w(0) + x(3) + y(2) - z(1), w(1) - x(2) + y(3) + z(0), w(2) + x(1) - y(0) + z(3), w(3) - x(0) - y(1) - z(2)];
    Vector::from_fn(4, |i| product[i])
}

/// The rotated vector: v (w² − b²) + 2 b (v·b) + 2 w (b × v), where b is the vector part of the quaternion. The
/// order is that of `kernel-rt`.
fn rotate<N: Algebra>(q: &Vector<N>, v: &Vector<N>) -> Vector<N> {
    let (w, two) = (q.get(3), N::constant(2.0));
    let b = Vector::from_fn(3, |i| q.get(i));
    let along = scale(v, w * w - dot(&b, &b));
    let towards = scale(&b, dot(v, &b) * two);
    let across = scale(&cross(&b, v), w * two);
    along.zip(&towards, |a, b| a + b).zip(&across, |a, b| a + b)
}

fn determinant<N: Algebra>(m: &Matrix<N>) -> N {
    let at = |j: usize, i: usize| m.at(j, i);
    match m.columns() {
        2 => at(0, 0) * at(1, 1) - at(0, 1) * at(1, 0),
        3 => dot(m.col(0), &cross(m.col(1), m.col(2))),
        _ => {
            // The 2×2 minors of the last two columns. Signs and order of the terms are those of `kernel-rt`.
            let minor = |i: usize, k: usize| at(2, i) * at(3, k) - at(2, k) * at(3, i);
            let (m23, m13, m12) = (minor(2, 3), minor(1, 3), minor(1, 2));
            let (m03, m02, m01) = (minor(0, 3), minor(0, 2), minor(0, 1));
            at(0, 0) * (at(1, 1) * m23 - at(1, 2) * m13 + at(1, 3) * m12)
                - at(0, 1) * (at(1, 0) * m23 - at(1, 2) * m03 + at(1, 3) * m02)
                + at(0, 2) * (at(1, 0) * m13 - at(1, 1) * m03 + at(1, 3) * m01)
                - at(0, 3) * (at(1, 0) * m12 - at(1, 1) * m02 + at(1, 2) * m01)
        }
    }
}

fn inverse<N: Algebra>(m: &Matrix<N>) -> Matrix<N> {
    match m.columns() {
        2 => inverse2(m),
        3 => inverse3(m),
        _ => inverse4(m),
    }
}

fn inverse2<N: Algebra>(m: &Matrix<N>) -> Matrix<N> {
    let (x, y) = (m.col(0), m.col(1));
    let recip = N::constant(1.0) / determinant(m);
    let entries = [[y.get(1) * recip, x.get(1) * -recip], [y.get(0) * -recip, x.get(0) * recip]];
    Matrix::from_fn(2, |j| Vector::from_fn(2, |i| entries[j][i]))
}

fn inverse3<N: Algebra>(m: &Matrix<N>) -> Matrix<N> {
    let products = [1, 2, 0].map(|j: usize| cross(m.col(j), m.col((j + 1) % 3)));
    let recip = N::constant(1.0) / dot(m.col(0), &products[0]);
    transpose(&Matrix::from_fn(3, |j| scale(&products[j], recip)))
}

/// The inverse by cofactors, in the order of `kernel-rt`: the minors of columns 1 to 3 combine to the columns of the
/// adjugate, signs alternate, and the determinant is expanded along the first column.
fn inverse4<N: Algebra>(m: &Matrix<N>) -> Matrix<N> {
    let at = |j: usize, i: usize| m.at(j, i);
    // The minors of rows i and k for the column pairs (2, 3), (2, 3), (1, 3), (1, 2): one for each column of the
    // adjugate.
    let minors = |i: usize, k: usize| {
        let minor = |p: usize, q: usize| at(p, i) * at(q, k) - at(q, i) * at(p, k);
        let found = [minor(2, 3), minor(2, 3), minor(1, 3), minor(1, 2)];
        Vector::from_fn(4, |n| found[n])
    };
    // Row i without the column that the minor omits: column 1 for the first entry, column 0 for the others.
    let row = |i: usize| Vector::from_fn(4, |n| if n == 0 { at(1, i) } else { at(0, i) });
    let (rows, minors) =
        ([0, 1, 2, 3].map(row), [minors(2, 3), minors(1, 3), minors(1, 2), minors(0, 3), minors(0, 2), minors(0, 1)]);
    let product = |r: usize, f: usize| rows[r].zip(&minors[f], |a, b| a * b);
    let combine = |[a, b, c]: [(usize, usize); 3]| {
        let difference = product(a.0, a.1).zip(&product(b.0, b.1), |a, b| a - b);
        difference.zip(&product(c.0, c.1), |a, b| a + b)
    };
    let adjugate = [
        combine([(1, 0), (2, 1), (3, 2)]),
        combine([(0, 0), (2, 3), (3, 4)]),
        combine([(0, 1), (1, 3), (3, 5)]),
        combine([(0, 2), (1, 4), (2, 5)]),
    ];
    let sign = |j: usize, i: usize| N::constant(if (i + j).is_multiple_of(2) { 1.0 } else { -1.0 });
    let signed = Matrix::from_fn(4, |j| Vector::from_fn(4, |i| adjugate[j].get(i) * sign(j, i)));
    let first_row = Vector::from_fn(4, |j| signed.at(j, 0));
    let recip = N::constant(1.0) / dot(m.col(0), &first_row);
    signed.map(|a| a * recip)
}
