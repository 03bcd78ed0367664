//! Rules for scalars that are longer than a formula of the table.

use super::rule::{unless, when};
use crate::ir::Expr;
use crate::ops::build::Operand;

/// The natural logarithm of a number, in the type of `other`. As a call it is as exact as that type; compilers fold it.
pub(in crate::ops) fn ln_of(number: f64, other: &Expr) -> Expr {
    Expr::number(number, other.ty).ln()
}

/// The slope of `abs`: the sign of `a`, and 0 for 0.
pub(in crate::ops) fn sign(a: &Expr) -> Expr {
    unless(a.equals(0.0), a.signum())
}

/// The whole quotient that `rem_euclid` takes off, as std defines it: one further from zero than the truncated one where
/// that leaves a negative remainder.
pub(in crate::ops) fn div_euclid(a: &Expr, b: &Expr) -> Expr {
    (a / b).trunc() - when((a % b).lt(0.0), b.signum())
}

/// The slope of `powi` by its base.
pub(in crate::ops) fn powi_slope(a: &Expr, n: &Expr) -> Expr {
    unless(n.equals(0.0), n.cast(a.ty) * a.powi(n.saturating_sub(1.0)))
}

/// The slope of `atan2(a, b)` by `a` if `numerator` is `b`, by `-b` if it is `a`; 0 at the origin.
pub(in crate::ops) fn atan2_slope(numerator: &Expr, a: &Expr, b: &Expr) -> Expr {
    // The square of the distance would underflow or overflow where its quotient does not.
    let distance = a.hypot(b);
    unless(distance.equals(0.0), numerator / &distance / &distance)
}
