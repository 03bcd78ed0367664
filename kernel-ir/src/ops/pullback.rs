//! Instantiates the derivative rules of the table for operand types.

use super::def::{OpDef, Overload};
use super::gradient::{Rule, Symbols};
use super::table::TABLE;
use crate::ir::{Expr, LocalId, Op, Type};
use std::sync::LazyLock;

/// For each operand of `op`, the term that its adjoint receives; `None` if the operand carries no derivative.
///
/// The terms are over placeholders. For n operands, `LocalId(k)` with k < n is operand k, `LocalId(n)` is the result,
/// and `LocalId(n + 1)` is the adjoint of the result.
pub fn pullback(op: Op, operands: &[Type], ret: Type) -> Vec<Option<Expr>> {
    let rules = rules(op.row(operands, ret), ret);
    let count = operands.len();
    let local = |place: usize, ty: Type| Expr::local(LocalId(place as u32), ty);
    let all: Vec<Expr> = (0..).zip(operands).map(|(place, ty)| local(place, *ty)).collect();
    let operand = |place: usize| all.get(place).unwrap_or(&all[0]);
    let (r, g) = (&local(count, ret), &local(count + 1, ret));
    let build = |k: usize, rule: &Rule| {
        (rule.build)(Symbols { a: operand(0), b: operand(1), c: operand(2), r, g, k: k as i64 })
    };
    let rule_of = |place: usize| rules.get(place).filter(|_| operands[place].is_float());
    (0..count).map(|place| rule_of(place).map(|rule| build(place, rule))).collect()
}

/// The number of leading operands of `op` that carry a derivative.
pub fn differentiable(op: Op, operands: &[Expr], ret: Type) -> usize {
    /// Cached for each operation whose float overloads agree on it.
    static OF_ALL: LazyLock<Vec<Option<usize>>> = LazyLock::new(|| {
        let of = |def: &'static OpDef| {
            let rows = def.overloads.iter().filter(|row| row.gives_floats());
            let mut counts = rows.map(|row| row.gradient.len());
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
