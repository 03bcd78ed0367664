//! Rules for matrices and quaternions that are too long for the table.

use super::rule::{unless, when};
use super::vector::{parts, vector};
use crate::ir::{Expr, Op};
use crate::ops::build::Operand;

/// The matrix with these columns.
fn matrix(columns: Vec<Expr>) -> Expr {
    Expr::op(Op::MatFromCols, columns)
}

/// The quaternion with the vector part `v` and w = 0.
pub(in crate::ops) fn pure(v: &Expr) -> Expr {
    Expr::op(Op::QuatNew, [v.x(), v.y(), v.z(), Expr::number(0, v.ty)])
}

/// The outer product of the adjoint `g` and `v`: column j is `g` times v[j].
pub(in crate::ops) fn outer(g: &Expr, v: &Expr) -> Expr {
    matrix((0..parts(v.ty)).map(|j| g.strong_mul(v.part(j))).collect())
}

/// The Frobenius inner product of the adjoint `g` and `b`.
pub(in crate::ops) fn inner(g: &Expr, b: &Expr) -> Expr {
    let of_column = |j: i64| g.part(j).strong_dot(b.part(j));
    (1..parts(g.ty)).fold(of_column(0), |sum, j| sum + of_column(j))
}

/// The adjoint of a vector that the quaternion `a` rotates: `g` rotated by the conjugate of `a`. The explicit test for
/// zero takes the place of a strong product.
pub(in crate::ops) fn rotated_back(a: &Expr, g: &Expr) -> Expr {
    let is_zero = g.x().equals(0.0).and(g.y().equals(0.0)).and(g.z().equals(0.0));
    unless(is_zero, a.conjugate() * g)
}

/// The diagonal as a vector.
pub(in crate::ops) fn diagonal(a: &Expr) -> Expr {
    vector((0..parts(a.ty)).map(|i| a.part(i).part(i)).collect())
}

/// The product of the adjoint `g`, a matrix, and the vector `v`.
pub(in crate::ops) fn transform(g: &Expr, v: &Expr) -> Expr {
    let rows = g.transpose();
    vector((0..parts(rows.ty)).map(|i| rows.part(i).strong_dot(v)).collect())
}

/// The adjoint of the vector of a skew-symmetric matrix: for each component, the difference of its two entries.
pub(in crate::ops) fn axial(g: &Expr) -> Expr {
    let entry = |row: i64, column: i64| g.part(column).part(row);
    vector((0..3).map(|i| (i + 1) % 3).map(|j| (j, (j + 1) % 3)).map(|(j, k)| entry(k, j) - entry(j, k)).collect())
}

/// The matrix of the type of `a` with `g` along the diagonal.
pub(in crate::ops) fn on_diagonal(a: &Expr, g: &Expr) -> Expr {
    Expr::op_to(Op::FromDiagonal, [g.splat(a.ty.part())], a.ty)
}

/// The matrix of the type of `a` with `g` in row number `row`, and zeros elsewhere.
pub(in crate::ops) fn at_row(a: &Expr, row: &Expr, g: &Expr) -> Expr {
    matrix((0..parts(a.ty.part())).map(|i| when(row.equals(i), g)).collect()).transpose()
}

/// The derivative of the determinant by each entry, which is the matrix of cofactors. The dot product of a column of it
/// with the same column of `a` is the determinant. It needs no inverse, so it is also right for singular matrices.
pub(in crate::ops) fn cofactors(a: &Expr) -> Expr {
    let col = |j: i64| a.part(j);
    match parts(a.ty) {
        2 => matrix(vec![vector(vec![col(1).y(), -col(1).x()]), vector(vec![-col(0).y(), col(0).x()])]),
        3 => matrix(vec![col(1).cross(col(2)), col(2).cross(col(0)), col(0).cross(col(1))]),
        _ => matrix(vec![
            cross4([col(1), col(2), col(3)]),
            cross4([col(2), col(0), col(3)]),
            cross4([col(0), col(1), col(3)]),
            cross4([col(2), col(1), col(0)]),
        ]),
    }
}

/// The vector whose dot product with x is the determinant of the columns x, u, v, w, expanded along the last row.
fn cross4([u, v, w]: [Expr; 3]) -> Expr {
    let [a, b, c] = [&u, &v, &w].map(Operand::truncate);
    let upper = b.cross(&c) * u.w() + c.cross(&a) * v.w() + a.cross(&b) * w.w();
    upper.extend(-a.dot(b.cross(c)))
}
