//! Overflow of loop variables. Rust's ranges stop at the last value, while a loop in C or Python steps once past it.
//! These predicates tell whether that step may overflow the type.

use crate::ir::{Expr, ExprKind, ForRange, Scalar, Type};
use crate::ops::Op;

/// Whether a loop that runs down to the start may have to step below the minimum of its type. Only signed types matter:
/// unsigned arithmetic wraps around in C by definition.
pub(super) fn reaches_minimum(range: &ForRange) -> bool {
    let least = min(range.start.ty.scalar());
    let above = |bound: &Expr| bound.as_integer().is_some_and(|bound| bound > least);
    let literal = matches!(range.end.kind, ExprKind::Literal(_));
    range.start.ty.scalar().is_signed_integer() && (!above(&range.start) || (literal && !above(&range.end)))
}

/// Whether a loop that runs down by `step` can step below the start without overflow, and whether its first value
/// exists in the type.
pub(super) fn ends_above_minimum(range: &ForRange, step: &Expr) -> bool {
    let least = min(range.start.ty.scalar());
    let room = range.start.as_integer().zip(step.as_integer()).is_some_and(|(start, step)| start - step >= least);
    let first = range.inclusive || range.end.as_integer().is_some_and(|end| end > least);
    range.start.ty.scalar().is_signed_integer() && room && first
}

/// Whether a loop variable can step past the upper bound `end` without overflow. The index type always has headroom,
/// because launches and arrays near its limit use the 64-bit index.
pub(super) fn has_headroom(end: &Expr, step: Option<&Expr>, inclusive: bool) -> bool {
    let step = match step {
        None => Some(1),
        Some(step) => step.as_integer(),
    };
    end.ty == Type::INDEX
        || match (largest(end), step) {
            (Some(largest), Some(step)) => largest + step - i128::from(!inclusive) <= max(end.ty.scalar()),
            _ => false,
        }
}

/// An upper bound of the value, if it is syntactically smaller than the maximum of the type.
fn largest(expr: &Expr) -> Option<i128> {
    let of_type = max(expr.ty.scalar());
    match &expr.kind {
        ExprKind::Literal(value) => value.as_integer(),
        ExprKind::Cast(inner) => match (inner.ty.scalar(), expr.ty.scalar()) {
            (Scalar::Index, _) => Some(i128::from(u32::MAX)),
            // A negative value becomes a large one.
            (from, to) if from.is_signed_integer() && !to.is_signed_integer() => None,
            (from, _) => from.is_integer().then(|| max(from)),
        },
        ExprKind::Op(Op::Sub, args) => Some(of_type - args[1].as_integer().filter(|by| *by > 0)?),
        ExprKind::Op(Op::Div, args) => Some(of_type / args[1].as_integer().filter(|by| *by > 1)?),
        ExprKind::Op(Op::Rem, args) => args[1].as_integer().filter(|by| *by > 0),
        ExprKind::Op(Op::Min, args) => args.iter().filter_map(largest).min(),
        ExprKind::Op(..)
        | ExprKind::Local(_)
        | ExprKind::LocalElement { .. }
        | ExprKind::Param(_)
        | ExprKind::Tid(_)
        | ExprKind::Extent { .. }
        | ExprKind::Present(_)
        | ExprKind::Load { .. }
        | ExprKind::Call(..)
        | ExprKind::Component(..)
        | ExprKind::Column(..)
        | ExprKind::Field(..)
        | ExprKind::Tile(..)
        | ExprKind::Struct(_)
        | ExprKind::Select { .. } => None,
    }
    .filter(|bound| *bound < of_type)
}

/// Whether the expression is a literal 0.
pub(super) fn is_zero(expr: &Expr) -> bool {
    expr.as_integer() == Some(0)
}

/// The smallest value of an integer type.
fn min(scalar: Scalar) -> i128 {
    scalar.limits().map_or(0, |(min, _)| min)
}

/// The largest value of an integer type.
fn max(scalar: Scalar) -> i128 {
    scalar.limits().map_or(u64::MAX.into(), |(_, max)| max)
}
