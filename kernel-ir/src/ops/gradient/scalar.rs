//! Rules for scalars that are too long for the table.

use super::rule::{unless, when};
use crate::ir::{Expr, Op, Type};
use crate::ops::build::Operand;

/// The rule of an operand that is not a float and carries no derivative.
pub(in crate::ops) fn none() -> Expr {
    Expr::number(0, Type::F32)
}

/// The number from 0 to below 1 that a draw from the state `a` gives.
pub(in crate::ops) fn uniform(a: &Expr) -> Expr {
    Expr::op(Op::Randf, [a.clone()])
}

/// The natural logarithm of a number, in the type of `other`. A call is rounded in that type, while a literal would be
/// rounded twice; compilers fold the call.
pub(in crate::ops) fn ln_of(number: f64, other: &Expr) -> Expr {
    Expr::number(number, other.ty).ln()
}

/// The derivative of `abs`: the sign of `a`, or 0 at 0.
pub(in crate::ops) fn sign(a: &Expr) -> Expr {
    unless(a.equals(0.0), a.signum())
}

/// The integer quotient of `rem_euclid`, as `std` defines it: the truncated quotient, moved away from zero by 1 if the
/// remainder would be negative.
pub(in crate::ops) fn div_euclid(a: &Expr, b: &Expr) -> Expr {
    (a / b).trunc() - when((a % b).lt(0.0), b.signum())
}

/// The derivative of `powi` by its base: n·aⁿ⁻¹, or 0 for n = 0.
pub(in crate::ops) fn powi_slope(a: &Expr, n: &Expr) -> Expr {
    // The saturating subtraction has a value for every `n`, `i32::MIN` included.
    unless(n.equals(0.0), n.cast(a.ty) * a.powi(n.saturating_sub(1.0)))
}

/// The derivative of `atan2(a, b)`: by `a` if `numerator` is `b`, by `b` up to the sign if `numerator` is `a`. It is 0
/// at the origin.
pub(in crate::ops) fn atan2_slope(numerator: &Expr, a: &Expr, b: &Expr) -> Expr {
    // Dividing twice by the distance avoids its square, which may underflow or overflow where the quotient does not.
    let distance = a.hypot(b);
    unless(distance.equals(0.0), numerator / &distance / &distance)
}
