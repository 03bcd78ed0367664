//! Overflow of loop variables: which ranges end so near to a limit of their type that one step more overflows.

use crate::ir::{Expr, ExprKind, ForRange, Scalar, Type};
use crate::ops::Op;

/// Whether the variable of a loop that runs down to the start may have to pass the end of its type; unsigned ones may.
pub(super) fn reaches_minimum(range: &ForRange) -> bool {
    let above = |bound: &Expr| bound.as_integer().is_some_and(|bound| bound > i128::from(i32::MIN));
    let literal = matches!(range.end.kind, ExprKind::Literal(_));
    range.start.ty.scalar().is_signed_integer() && (!above(&range.start) || (literal && !above(&range.end)))
}

/// Whether a loop that runs down by `step` may do so until its variable is below the start, and begins with a value that
/// the type holds.
pub(super) fn ends_above_minimum(range: &ForRange, step: &Expr) -> bool {
    let least = i128::from(i32::MIN);
    let room = range.start.as_integer().zip(step.as_integer()).is_some_and(|(start, step)| start - step >= least);
    let first = range.inclusive || range.end.as_integer().is_some_and(|end| end > least);
    range.start.ty.scalar().is_signed_integer() && room && first
}

/// Whether a loop variable may pass the upper bound `end` by a step without leaving its type. The index type always has
/// room: launches and arrays that come near its end run with the wide one.
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

/// A bound of the value from above, where one smaller than the type's own is plain to see.
fn largest(expr: &Expr) -> Option<i128> {
    let of_type = max(expr.ty.scalar());
    match &expr.kind {
        ExprKind::Literal(value) => value.as_integer(),
        ExprKind::Cast(inner) => match (inner.ty.scalar(), expr.ty.scalar()) {
            (Scalar::Index, _) => Some(i128::from(u32::MAX)),
            // Negative ones become large.
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
        | ExprKind::Load { .. }
        | ExprKind::Call(..)
        | ExprKind::Component(..)
        | ExprKind::Column(..)
        | ExprKind::Select { .. } => None,
    }
    .filter(|bound| *bound < of_type)
}

/// Whether it is a literal 0.
pub(super) fn is_zero(expr: &Expr) -> bool {
    expr.as_integer() == Some(0)
}

/// The largest value of an integer type.
fn max(scalar: Scalar) -> i128 {
    match scalar {
        Scalar::I32 => i32::MAX.into(),
        Scalar::U32 => u32::MAX.into(),
        Scalar::I64 => i64::MAX.into(),
        Scalar::Bool | Scalar::U64 | Scalar::Index | Scalar::F32 | Scalar::F64 => u64::MAX.into(),
    }
}
