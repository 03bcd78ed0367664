//! Rules for vectors that are longer than a formula of the table.

use super::rule::{unless, when};
use super::scalar;
use crate::ir::{Expr, Op, Type};
use crate::ops::build::Operand;

/// How many components or columns a value of the type has.
pub(super) fn parts(ty: Type) -> i64 {
    ty.parts().into()
}

/// The vector of 2 to 4 components.
pub(super) fn vector(components: Vec<Expr>) -> Expr {
    Expr::op([Op::Vec2New, Op::Vec3New, Op::Vec4New][components.len() - 2], components)
}

/// The vector of the size of `a` with the component `component(i)` at i.
fn by_component(a: &Expr, component: impl Fn(i64) -> Expr) -> Expr {
    vector((0..parts(a.ty)).map(component).collect())
}

/// The slopes of `abs` by component.
pub(in crate::ops) fn signs(a: &Expr) -> Expr {
    by_component(a, |i| scalar::sign(&a.part(i)))
}

/// The components of `g` where those of `a` and `r` are equal, and zeros elsewhere.
pub(in crate::ops) fn where_equal(a: &Expr, r: &Expr, g: &Expr) -> Expr {
    by_component(a, |i| when(a.part(i).equals(r.part(i)), g.part(i)))
}

/// The components of `g` where those of `a` and `r` are not equal, and zeros elsewhere.
pub(in crate::ops) fn unless_equal(a: &Expr, r: &Expr, g: &Expr) -> Expr {
    by_component(a, |i| unless(a.part(i).equals(r.part(i)), g.part(i)))
}

/// `g` at the first component of `a` that is `r`, zeros elsewhere. If no component is, because of NaN, `r` is the last.
pub(in crate::ops) fn at_first(a: &Expr, r: &Expr, g: &Expr) -> Expr {
    let only = |place: i64| by_component(a, |i| if i == place { g.clone() } else { Expr::zero(g.ty) });
    let last = parts(a.ty) - 1;
    (0..last).rev().fold(only(last), |rest, i| a.part(i).equals(r).select(only(i), rest))
}

/// For each component the product of the others.
pub(in crate::ops) fn products_of_others(a: &Expr) -> Expr {
    by_component(a, |i| {
        let others = (0..parts(a.ty)).filter(|j| *j != i).map(|j| a.part(j));
        others.reduce(|product, other| product * other).expect("a vector has at least two components")
    })
}

/// The plane vector turned back by a right angle, whose product with `a` is `a.perp_dot(b)`.
pub(in crate::ops) fn turned(b: &Expr) -> Expr {
    vector(vec![b.y(), -b.x()])
}

/// The adjoint of `a`, whose normalized value is `r`: the part of `g` across `r`, by the length.
pub(in crate::ops) fn normalized(a: &Expr, r: &Expr, g: &Expr) -> Expr {
    (g - g.strong_dot(r).strong_mul(r)).strong_div(a.length())
}

/// The adjoint of the vector that is mirrored at the plane of the normal `b`: `g`, mirrored.
pub(in crate::ops) fn mirrored(b: &Expr, g: &Expr) -> Expr {
    g - (2.0 * g.strong_dot(b)).strong_mul(b)
}
