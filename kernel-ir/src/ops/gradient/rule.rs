//! A rule, and what its formula may use.

use crate::ir::Expr;
use crate::ops::build::Operand;

/// What the adjoint of one operand gains.
#[derive(Debug)]
pub struct Rule {
    /// The formula, as the table has it.
    pub formula: &'static str,
    /// Builds the expression of the formula.
    pub(in crate::ops) build: fn(Symbols<'_>) -> Expr,
}

/// What a rule may use.
#[derive(Clone, Copy)]
pub(in crate::ops) struct Symbols<'a> {
    /// The first operand.
    pub(in crate::ops) a: &'a Expr,
    /// The second operand; the first one again if there is none.
    pub(in crate::ops) b: &'a Expr,
    /// The third operand; the first one again if there is none.
    pub(in crate::ops) c: &'a Expr,
    /// The result.
    pub(in crate::ops) r: &'a Expr,
    /// The adjoint of the result.
    pub(in crate::ops) g: &'a Expr,
}

/// `value` where `cond` holds, else zero.
pub(in crate::ops) fn when(cond: Expr, value: impl Operand) -> Expr {
    let value = value.into_expr();
    let zero = Expr::zero(value.ty);
    cond.select(value, zero)
}

/// Zero where `cond` holds, else `value`.
pub(in crate::ops) fn unless(cond: Expr, value: impl Operand) -> Expr {
    let value = value.into_expr();
    cond.select(Expr::zero(value.ty), value)
}
