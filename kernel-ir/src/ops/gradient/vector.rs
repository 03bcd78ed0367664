//! Rules for vectors that are too long for the table.

use super::rule::{unless, when};
use super::scalar;
use crate::ir::{Expr, Op, Type};
use crate::ops::build::Operand;

/// The number of components or columns of a value of type `ty`.
pub(super) fn parts(ty: Type) -> i64 {
    ty.parts().into()
}

/// The vector with these components.
pub(super) fn vector(components: Vec<Expr>) -> Expr {
    Expr::op(Op::VecNew, components)
}

/// The vector with the size of `a` and the components `component(i)`.
fn by_component(a: &Expr, component: impl Fn(i64) -> Expr) -> Expr {
    vector((0..parts(a.ty)).map(component).collect())
}

/// The derivative of `abs`, by component.
pub(in crate::ops) fn signs(a: &Expr) -> Expr {
    by_component(a, |i| scalar::sign(&a.part(i)))
}

/// The components of `g` where `a` equals `r`, and zeros elsewhere.
pub(in crate::ops) fn where_equal(a: &Expr, r: &Expr, g: &Expr) -> Expr {
    by_component(a, |i| when(a.part(i).equals(r.part(i)), g.part(i)))
}

/// The components of `g` where `a` differs from `r`, and zeros elsewhere.
pub(in crate::ops) fn unless_equal(a: &Expr, r: &Expr, g: &Expr) -> Expr {
    by_component(a, |i| unless(a.part(i).equals(r.part(i)), g.part(i)))
}

/// `g` at the first component of `a` that equals `r`, and zeros elsewhere. If no component equals `r`, because of NaN,
/// the last component gets `g`.
pub(in crate::ops) fn at_first(a: &Expr, r: &Expr, g: &Expr) -> Expr {
    let only = |place: i64| by_component(a, |i| if i == place { g.clone() } else { Expr::zero(g.ty) });
    let last = parts(a.ty) - 1;
    (0..last).rev().fold(only(last), |rest, i| a.part(i).equals(r).select(only(i), rest))
}

/// For each component, the product of the other components. Unlike a quotient of the whole product, it is right for
/// zeros.
pub(in crate::ops) fn products_of_others(a: &Expr) -> Expr {
    by_component(a, |i| {
        let others = (0..parts(a.ty)).filter(|j| *j != i).map(|j| a.part(j));
        others.reduce(|product, other| product * other).unwrap_or_else(|| Expr::number(1, a.ty.part()))
    })
}

/// The plane vector `b` rotated by -90°. Its dot product with `a` is `a.perp_dot(b)`.
pub(in crate::ops) fn turned(b: &Expr) -> Expr {
    vector(vec![b.y(), -b.x()])
}

/// The adjoint of `a`, where `r` is the normalized `a`: the part of `g` perpendicular to `r`, divided by the length of
/// `a`.
pub(in crate::ops) fn normalized(a: &Expr, r: &Expr, g: &Expr) -> Expr {
    (g - g.strong_dot(r).strong_mul(r)).strong_div(a.length())
}

/// The adjoint of a vector that is reflected at the plane with normal `b`: the reflection of `g`.
pub(in crate::ops) fn mirrored(b: &Expr, g: &Expr) -> Expr {
    g - (2.0 * g.strong_dot(b)).strong_mul(b)
}
