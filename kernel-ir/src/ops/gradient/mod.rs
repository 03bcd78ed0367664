//! The derivative rules of the table.
//!
//! A rule says what the adjoint of one operand gains when the adjoint of the result is known: the product of that adjoint
//! with the transposed Jacobian. In the table it is a formula over [`Symbols`]: the operands `a`, `b` and `c`, the result
//! `r`, and the adjoint of the result `g`. The formulas build expressions of the IR out of operations of the same table
//! ([`Term`]); none of them can fail. Where a function is not smooth they follow [`Dual`](crate::interp::Dual), and
//! otherwise a formula that uses `r` is preferred where it is cheaper. A minus stands first, so that what is negative may be
//! subtracted.
//!
//! What does not fit into the table stands here: rules for [`scalar`]s, for [`vector`]s, and for matrices and
//! quaternions ([`matrix`]).

pub(super) mod matrix;
pub(super) mod scalar;
mod term;
#[cfg(test)]
mod tests;
pub(super) mod vector;

use super::{Op, OpDef, Overload, TABLE};
use crate::ir::{Expr, LocalId, Type};
use std::sync::LazyLock;
use term::{Pool, Term};
pub(super) use term::{unless, when};

/// What the adjoint of one operand gains.
#[derive(Debug)]
pub struct Rule {
    /// The formula, as the table has it.
    pub formula: &'static str,
    /// Builds the expression of the formula.
    pub(super) build: for<'a> fn(Symbols<'a>) -> Term<'a>,
}

/// What a rule may use.
#[derive(Clone, Copy)]
pub(super) struct Symbols<'a> {
    /// The first operand.
    pub(super) a: Term<'a>,
    /// The second operand; the first one again if there is none.
    pub(super) b: Term<'a>,
    /// The third operand; the first one again if there is none.
    pub(super) c: Term<'a>,
    /// The result.
    pub(super) r: Term<'a>,
    /// The adjoint of the result.
    pub(super) g: Term<'a>,
}

/// For every operand of `op` the expression of what its adjoint gains; `None` if it carries no derivative.
///
/// The expressions are over placeholders: of n operands, `LocalId(k)` is operand k for k below n, `LocalId(n)` is the
/// result, and `LocalId(n + 1)` is the adjoint of the result.
pub fn pullback(op: Op, operands: &[Type], ret: Type) -> Vec<Option<Expr>> {
    let rules = rules(op.row(operands, ret), ret);
    let pool = Pool::default();
    let count = operands.len();
    let local = |place: usize, ty: Type| pool.local(LocalId(place as u32), ty);
    let operand = |place: usize| {
        let place = if place < count { place } else { 0 };
        local(place, operands[place])
    };
    let build = |rule: &Rule| {
        let (r, g) = (local(count, ret), local(count + 1, ret));
        (rule.build)(Symbols { a: operand(0), b: operand(1), c: operand(2), r, g }).expr()
    };
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

/// The value of type `ty` that is made of zeros.
pub fn zero(ty: Type) -> Expr {
    term::zero(ty)
}
