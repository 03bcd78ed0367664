//! Rules for matrices and quaternions that are longer than a formula of the table.

pub(in crate::ops) use super::term::pure;
use super::term::{Term, matrix, vector, when};

/// The outer product: column j is `u` times component j of `v`.
pub(in crate::ops) fn outer<'a>(u: Term<'a>, v: Term<'a>) -> Term<'a> {
    let columns: Vec<Term> = (0..v.len()).map(|j| u * v.component(j)).collect();
    matrix(&columns)
}

/// The sum of the products of the entries.
pub(in crate::ops) fn inner<'a>(a: Term<'a>, b: Term<'a>) -> Term<'a> {
    (1..a.len()).fold(a.col(0).dot(b.col(0)), |sum, j| sum + a.col(j).dot(b.col(j)))
}

/// The diagonal as a vector.
pub(in crate::ops) fn diagonal(a: Term<'_>) -> Term<'_> {
    let entries: Vec<Term> = (0..a.len()).map(|i| a.col(i).component(i)).collect();
    vector(&entries)
}

/// The matrix with the row `g` at the number `row`, and zeros elsewhere.
pub(in crate::ops) fn at_row<'a>(row: Term<'a>, g: Term<'a>) -> Term<'a> {
    let columns: Vec<Term> = (0..g.len()).map(|i| when(row.equals(f64::from(i)), g)).collect();
    matrix(&columns).transpose()
}

/// The derivative of the determinant by each entry. A column of it is the vector whose dot product with that column of
/// `a` is the determinant, so it needs no inverse and is right for singular matrices as well.
pub(in crate::ops) fn cofactors(a: Term<'_>) -> Term<'_> {
    let col = |j| a.col(j);
    match a.len() {
        2 => matrix(&[vector(&[col(1).y(), -col(1).x()]), vector(&[-col(0).y(), col(0).x()])]),
        3 => matrix(&[col(1).cross(col(2)), col(2).cross(col(0)), col(0).cross(col(1))]),
        _ => matrix(&[
            cross4(col(1), col(2), col(3)),
            cross4(col(2), col(0), col(3)),
            cross4(col(0), col(1), col(3)),
            cross4(col(2), col(1), col(0)),
        ]),
    }
}

/// The vector whose dot product with x is the determinant of the columns x, u, v, w, expanded along the last row.
fn cross4<'a>(u: Term<'a>, v: Term<'a>, w: Term<'a>) -> Term<'a> {
    let [a, b, c] = [u, v, w].map(Term::truncate);
    let upper = b.cross(c) * u.w() + c.cross(a) * v.w() + a.cross(b) * w.w();
    upper.extend(-a.dot(b.cross(c)))
}
