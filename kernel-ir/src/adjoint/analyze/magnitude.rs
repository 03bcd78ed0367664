//! Upper bounds of the absolute values of float expressions, for all inputs.
//!
//! An input may be any float, including infinity and NaN, so a value that depends on a float input has no bound. Values
//! made of indices, sizes and constants have one. A derivative with a bound is finite, and its product with an adjoint
//! needs no guard against a zero adjoint.

#![expect(clippy::wildcard_enum_match_arm, reason = "what has no rule here has no bound")]

use crate::ir::{Expr, ExprKind, FloatFormat, Kernel, LocalId, LocalMap, LocalSet, StmtKind, Type};
use crate::ops::Op;

/// The bounds of locals. A local without an entry may hold any value.
pub(crate) type Magnitudes = LocalMap<f64>;

/// The bounds of the locals that are never assigned after their declaration.
pub(crate) fn of_locals(kernel: &Kernel) -> Magnitudes {
    let mut assigned = LocalSet::default();
    kernel.walk_stmts(&mut |stmt| assigned.extend(stmt.assigned_local()));
    let mut found = Magnitudes::default();
    kernel.walk_stmts(&mut |stmt| {
        if let StmtKind::Let { local, init: Some(init) } = &stmt.kind
            && !assigned.contains(*local)
            && let Some(most) = of(init, &|local| found.get(local).copied())
        {
            found.insert(*local, most);
        }
    });
    found
}

/// An upper bound of the absolute values of the scalars of the float `expr`; `None` if there is no known bound. A value
/// with a bound is not NaN. `known` gives the bounds of locals.
pub(crate) fn of(expr: &Expr, known: &dyn Fn(LocalId) -> Option<f64>) -> Option<f64> {
    let of = |expr: &Expr| of(expr, known);
    let most = |all: &[Expr]| all.iter().try_fold(0.0, |most, part| Some(f64::max(most, of(part)?)));
    match &expr.kind {
        ExprKind::Literal(value) => value.as_float().map(f64::abs).filter(|most| most.is_finite()),
        ExprKind::Local(local) => known(*local),
        ExprKind::Cast(inner) if inner.ty.is_float() => of(inner).filter(|most| *most <= largest(expr.ty)),
        // Every integer type has at most 64 bits, so the absolute value is at most 2⁶⁴.
        ExprKind::Cast(_) if expr.ty.is_float() => Some(2f64.powi(64)),
        ExprKind::Component(base, _) | ExprKind::Column(base, _) => of(base),
        ExprKind::Select { then, other, .. } => Some(f64::max(of(then)?, of(other)?)),
        ExprKind::Op(op, args) => match op {
            // Rounding to an integer moves a number by at most 1.
            Op::Neg | Op::Abs | Op::Trunc | Op::Floor | Op::Ceil | Op::Round => most(args).map(|most| most + 1.0),
            Op::Min | Op::Max | Op::Clamp => most(args),
            Op::VecNew | Op::Splat => most(args),
            Op::Sin | Op::Cos | Op::Tanh | Op::Signum => most(args).map(|_| 1.0),
            Op::Add | Op::Sub => Some(of(&args[0])? + of(&args[1])?),
            // A matrix product sums several terms, so the product of the two bounds does not bound it.
            Op::Mul if args.iter().all(|arg| arg.ty.is_scalar() || arg.ty.is_vector()) => {
                Some(of(&args[0])? * of(&args[1])?)
            }
            _ => None,
        }
        .filter(|most| *most <= largest(expr.ty)),
        _ => None,
    }
}

/// The largest bound that is accepted. It is half of the type's maximum, so that rounding in the program cannot reach
/// infinity.
pub(crate) fn largest(ty: Type) -> f64 {
    ty.scalar().format().unwrap_or(FloatFormat::F64).largest() / 2.0
}

/// Whether the expression is a literal other than 0 and -0.
pub(crate) fn is_constant_but_zero(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(value) => value.as_float().is_some_and(|value| value != 0.0),
        _ => false,
    }
}
