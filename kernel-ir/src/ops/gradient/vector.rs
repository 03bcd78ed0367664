//! Rules for vectors that are longer than a formula of the table.

use super::scalar;
use super::term::{Term, select, unless, vector, when};

/// The vector of the size of `a` with the component `component(i)` at i.
fn by_component<'a>(a: Term<'a>, component: impl Fn(u8) -> Term<'a>) -> Term<'a> {
    let components: Vec<Term> = (0..a.len()).map(component).collect();
    vector(&components)
}

/// The slopes of `abs` by component.
pub(in crate::ops) fn signs(a: Term<'_>) -> Term<'_> {
    by_component(a, |i| scalar::sign(a.component(i)))
}

/// The components of `g` where those of `a` and `r` are equal, and zeros elsewhere.
pub(in crate::ops) fn where_equal<'a>(a: Term<'a>, r: Term<'a>, g: Term<'a>) -> Term<'a> {
    by_component(a, |i| when(a.component(i).equals(r.component(i)), g.component(i)))
}

/// The components of `g` where those of `a` and `r` are not equal, and zeros elsewhere.
pub(in crate::ops) fn unless_equal<'a>(a: Term<'a>, r: Term<'a>, g: Term<'a>) -> Term<'a> {
    by_component(a, |i| unless(a.component(i).equals(r.component(i)), g.component(i)))
}

/// `g` at the first component of `a` that is `r`, zeros elsewhere. If no component is, because of NaN, `r` is the last.
pub(in crate::ops) fn at_first<'a>(a: Term<'a>, r: Term<'a>, g: Term<'a>) -> Term<'a> {
    let only = |place: u8| by_component(a, |i| if i == place { g } else { g.zero() });
    let last = a.len() - 1;
    (0..last).rev().fold(only(last), |rest, i| select(a.component(i).equals(r), only(i), rest))
}

/// For each component the product of the others.
pub(in crate::ops) fn products_of_others(a: Term<'_>) -> Term<'_> {
    by_component(a, |i| {
        let others = (0..a.len()).filter(|j| *j != i).map(|j| a.component(j));
        others.reduce(|product, other| product * other).expect("a vector has at least two components")
    })
}

/// The plane vector turned back by a right angle, whose product with `a` is `a.perp_dot(b)`.
pub(in crate::ops) fn turned(b: Term<'_>) -> Term<'_> {
    vector(&[b.y(), -b.x()])
}

/// The adjoint of `a`, whose normalized value is `r`: the part of `g` across `r`, by the length.
pub(in crate::ops) fn normalized<'a>(a: Term<'a>, r: Term<'a>, g: Term<'a>) -> Term<'a> {
    (g - r * r.dot(g)) / a.length()
}
