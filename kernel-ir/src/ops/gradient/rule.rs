//! A derivative rule, and the symbols of its formula.

use crate::ir::Expr;
use crate::ops::build::Operand;

/// The term that the adjoint of one operand receives.
#[derive(Debug)]
pub struct Rule {
    /// The formula, as written in the table.
    pub formula: &'static str,
    /// Builds the expression of the formula.
    pub(in crate::ops) build: fn(Symbols<'_>) -> Expr,
}

/// The symbols of a formula.
#[derive(Clone, Copy)]
pub(in crate::ops) struct Symbols<'a> {
    /// The first operand.
    pub(in crate::ops) a: &'a Expr,
    /// The second operand; the first operand if there is no second.
    pub(in crate::ops) b: &'a Expr,
    /// The third operand; the first operand if there is no third.
    pub(in crate::ops) c: &'a Expr,
    /// The result.
    pub(in crate::ops) r: &'a Expr,
    /// The adjoint of the result.
    pub(in crate::ops) g: &'a Expr,
    /// The position of the operand.
    pub(in crate::ops) k: i64,
}

/// `value` if `cond` is true, else zero.
pub(in crate::ops) fn when(cond: Expr, value: impl Operand) -> Expr {
    let value = value.into_expr();
    let zero = Expr::zero(value.ty);
    cond.select(value, zero)
}

/// Zero if `cond` is true, else `value`.
pub(in crate::ops) fn unless(cond: Expr, value: impl Operand) -> Expr {
    let value = value.into_expr();
    cond.select(Expr::zero(value.ty), value)
}
