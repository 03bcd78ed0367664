//! The derivative rules of the table.
//!
//! A rule says what the adjoint of one operand gains when the adjoint of the result is known: the product of that adjoint
//! with the transposed Jacobian. In the table it is a formula over [`Symbols`]: the operands `a`, `b` and `c`, the result
//! `r`, and the adjoint of the result `g`. The formulas build expressions of the IR out of operations of the same table
//! ([`build`](crate::ir::build)); none of them can fail. Where a function is not smooth they follow [`Dual`](crate::interp::Dual), and
//! otherwise a formula that uses `r` is preferred where it is cheaper. A minus stands first, so that what is negative may be
//! subtracted.
//!
//! What does not fit into the table stands here: rules for [`scalar`]s, for [`vector`]s, and for matrices and
//! quaternions ([`matrix`]).

pub(super) mod matrix;
pub(super) mod scalar;
#[cfg(test)]
mod tests;
pub(super) mod vector;

use super::{Op, OpDef, Overload, TABLE};
use crate::ir::build::Operand;
use crate::ir::{Expr, LocalId, Type};
use std::sync::LazyLock;

/// What the adjoint of one operand gains.
#[derive(Debug)]
pub struct Rule {
    /// The formula, as the table has it.
    pub formula: &'static str,
    /// Builds the expression of the formula.
    pub(super) build: fn(Symbols<'_>) -> Expr,
}

/// What a rule may use.
#[derive(Clone, Copy)]
pub(super) struct Symbols<'a> {
    /// The first operand.
    pub(super) a: &'a Expr,
    /// The second operand; the first one again if there is none.
    pub(super) b: &'a Expr,
    /// The third operand; the first one again if there is none.
    pub(super) c: &'a Expr,
    /// The result.
    pub(super) r: &'a Expr,
    /// The adjoint of the result.
    pub(super) g: &'a Expr,
}

/// For every operand of `op` the expression of what its adjoint gains; `None` if it carries no derivative.
///
/// The expressions are over placeholders: of n operands, `LocalId(k)` is operand k for k below n, `LocalId(n)` is the
/// result, and `LocalId(n + 1)` is the adjoint of the result.
pub fn pullback(op: Op, operands: &[Type], ret: Type) -> Vec<Option<Expr>> {
    let rules = rules(op.row(operands, ret), ret);
    let count = operands.len();
    let local = |place: usize, ty: Type| Expr::local(LocalId(place as u32), ty);
    let all: Vec<Expr> = (0..).zip(operands).map(|(place, ty)| local(place, *ty)).collect();
    let operand = |place: usize| all.get(place).unwrap_or(&all[0]);
    let (r, g) = (&local(count, ret), &local(count + 1, ret));
    let build = |rule: &Rule| (rule.build)(Symbols { a: operand(0), b: operand(1), c: operand(2), r, g });
    (0..count).map(|place| rules.get(place).map(build)).collect()
}

/// How many operands of `op`, from the first on, carry a derivative.
pub fn differentiable(op: Op, operands: &[Expr], ret: Type) -> usize {
    /// Of each operation, if they are as many for all floats.
    static OF_ALL: LazyLock<Vec<Option<usize>>> = LazyLock::new(|| {
        let of = |def: &'static OpDef| {
            let rows = def.rows().filter(|(row, t)| row.ret.apply(*t).is_float());
            let mut counts = rows.map(|(row, _)| row.gradient.len());
            let first = counts.next()?;
            counts.all(|count| count == first).then_some(first)
        };
        TABLE.iter().map(of).collect()
    });
    match OF_ALL[op as usize] {
        _ if !ret.is_float() => 0,
        Some(count) => count,
        None => rules(op.row_of(operands, ret), ret).len(),
    }
}

fn rules(row: Option<(&'static Overload, Type)>, ret: Type) -> &'static [Rule] {
    match row {
        Some((row, _)) if ret.is_float() => row.gradient,
        _ => &[],
    }
}

/// `value` where `cond` holds, else zero.
pub(super) fn when(cond: Expr, value: impl Operand) -> Expr {
    let value = value.into_expr();
    let zero = Expr::zero(value.ty);
    cond.select(value, zero)
}

/// Zero where `cond` holds, else `value`.
pub(super) fn unless(cond: Expr, value: impl Operand) -> Expr {
    let value = value.into_expr();
    cond.select(Expr::zero(value.ty), value)
}

/// How many components or columns a value of the type has.
fn parts(ty: Type) -> i64 {
    match ty {
        Type::Scalar(_) => 1,
        Type::Vector(_, n) | Type::Matrix(_, n) => n.into(),
        Type::Quat(_) => 4,
    }
}
