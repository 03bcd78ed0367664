//! Shorthands over the [builder](crate::ops::build) for the passes of the adjoint, with peephole simplifications.

#![expect(clippy::wildcard_enum_match_arm, reason = "what is made does not depend on the other kinds")]

use crate::ir::{Block, Expr, ExprKind, Literal, LocalId, Place, Stmt, StmtKind, Type};
use crate::ops::Op;
use crate::ops::build::{Operand, Var};

pub(crate) fn expr(kind: ExprKind, ty: Type) -> Expr {
    Expr::new(kind, ty)
}

pub(crate) fn index(value: u32) -> Expr {
    Expr::literal(Literal::Index(value))
}

pub(crate) fn bool(value: bool) -> Expr {
    Expr::literal(Literal::Bool(value))
}

/// `a op b`.
pub(crate) fn binary(op: Op, a: Expr, b: Expr) -> Expr {
    Expr::op(op, [a, b])
}

/// A comparison.
pub(crate) fn compare(op: Op, a: Expr, b: Expr) -> Expr {
    Expr::op_to(op, [a, b], Type::BOOL)
}

pub(crate) fn cast(value: Expr, ty: Type) -> Expr {
    value.cast(ty)
}

/// The negation of a condition. A comparison of floats keeps its direction under a `!`: with NaN, both `a < b` and
/// `a >= b` are false.
pub(crate) fn not(cond: Expr) -> Expr {
    let turned = |op| match op {
        Op::Eq => Some(Op::Ne),
        Op::Ne => Some(Op::Eq),
        Op::Lt => Some(Op::Ge),
        Op::Le => Some(Op::Gt),
        Op::Gt => Some(Op::Le),
        Op::Ge => Some(Op::Lt),
        _ => None,
    };
    match cond.kind {
        ExprKind::Op(Op::Not, mut args) if args.len() == 1 => args.remove(0),
        ExprKind::Op(op, args) if turned(op).is_some() && !args[0].ty.is_float() => {
            let op = turned(op).unwrap_or(op);
            compare(op, args[0].clone(), args[1].clone())
        }
        _ => !cond,
    }
}

/// The zero of `ty`: every scalar is 0. For `bool` it is `false`.
pub(crate) fn zero(ty: Type) -> Expr {
    Expr::zero(ty)
}

pub(crate) fn stmt(kind: StmtKind) -> Stmt {
    Stmt::new(kind)
}

pub(crate) fn declare(local: LocalId, init: Expr) -> Stmt {
    Var::new(local, init.ty).declare(init)
}

/// A place that is a whole local.
pub(crate) fn local_place(local: LocalId, ty: Type) -> Place {
    Var::new(local, ty).place()
}

pub(crate) fn assign(place: Place, value: Expr) -> Stmt {
    place.set(value)
}

/// `place += value`, or `place -= x` where the value is `-x`.
pub(crate) fn add(place: Place, value: Expr) -> Stmt {
    let (op, value) = match value.kind {
        ExprKind::Op(Op::Neg, mut args) if args.len() == 1 => (Op::Sub, args.remove(0)),
        kind => (Op::Add, Expr { kind, ..value }),
    };
    place.update(op, value)
}

/// `if cond { then } else { other }`, without empty branches; an empty block if both branches are empty.
pub(crate) fn branch(cond: Expr, then: Block, other: Block) -> Block {
    match (then.is_empty(), other.is_empty()) {
        (true, true) => Vec::new(),
        (true, false) => vec![Stmt::when(not(cond), other)],
        _ => vec![Stmt::branch(cond, then, other)],
    }
}
