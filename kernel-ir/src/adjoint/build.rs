//! Short ways to make IR.

#![expect(clippy::wildcard_enum_match_arm, reason = "what is made does not depend on the other kinds")]

use crate::ir::{
    Block, Expr, ExprKind, Literal, LocalId, Place, PlaceRoot, Projection, Shape, Span, Stmt, StmtKind, Type,
};
use crate::ops::Op;

pub(super) fn expr(kind: ExprKind, ty: Type) -> Expr {
    Expr { kind, ty, span: Span::NONE }
}

pub(super) fn index(value: u32) -> Expr {
    Expr::literal(Literal::Index(value))
}

pub(super) fn bool(value: bool) -> Expr {
    Expr::literal(Literal::Bool(value))
}

/// `a op b` of the type of `a`.
pub(super) fn binary(op: Op, a: Expr, b: Expr) -> Expr {
    let ty = a.ty;
    expr(ExprKind::Op(op, vec![a, b]), ty)
}

/// A comparison.
pub(super) fn compare(op: Op, a: Expr, b: Expr) -> Expr {
    expr(ExprKind::Op(op, vec![a, b]), Type::BOOL)
}

pub(super) fn cast(value: Expr, ty: Type) -> Expr {
    if value.ty == ty { value } else { expr(ExprKind::Cast(Box::new(value)), ty) }
}

/// The opposite of a condition. A comparison of floats is not turned round: with NaN both may be false.
pub(super) fn not(cond: Expr) -> Expr {
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
        _ => {
            let kind = ExprKind::Op(Op::Not, vec![cond]);
            expr(kind, Type::BOOL)
        }
    }
}

/// The value of `ty` that is made of zeros; `false` for `bool`.
pub(super) fn zero(ty: Type) -> Expr {
    match ty {
        Type::BOOL => bool(false),
        _ if ty.is_float() => crate::ops::zero(ty),
        Type { shape: Shape::Scalar, .. } => Literal::int(0, ty).map_or_else(|| index(0), Expr::literal),
        // A vector of integers.
        _ => expr(ExprKind::Op(Op::Splat, vec![zero(Type::of(ty.scalar()))]), ty),
    }
}

pub(super) fn stmt(kind: StmtKind) -> Stmt {
    Stmt { kind, span: Span::NONE }
}

pub(super) fn declare(local: LocalId, init: Expr) -> Stmt {
    stmt(StmtKind::Let { local, init: Some(init) })
}

/// A whole local.
pub(super) fn local_place(local: LocalId, ty: Type) -> Place {
    Place { root: PlaceRoot::Local(local), path: Vec::new(), ty, span: Span::NONE }
}

pub(super) fn assign(place: Place, value: Expr) -> Stmt {
    stmt(StmtKind::Assign { place, value })
}

/// `place += value`, or `place -= x` where the value is `-x`.
pub(super) fn add(place: Place, value: Expr) -> Stmt {
    let (op, value) = match value.kind {
        ExprKind::Op(Op::Neg, mut args) if args.len() == 1 => (Op::Sub, args.remove(0)),
        kind => (Op::Add, Expr { kind, ..value }),
    };
    stmt(StmtKind::Update { place, op, value })
}

/// `if cond { then } else { other }`; nothing if there is nothing to do.
pub(super) fn branch(cond: Expr, then: Block, other: Block) -> Block {
    match (then.is_empty(), other.is_empty()) {
        (true, true) => Vec::new(),
        (true, false) => vec![stmt(StmtKind::If { cond: not(cond), then: other, other: Vec::new() })],
        _ => vec![stmt(StmtKind::If { cond, then, other })],
    }
}

impl Place {
    /// The place as an expression; `root` is the type of the root's value.
    pub(super) fn value(&self, root: Type) -> Expr {
        let kind = match &self.root {
            PlaceRoot::Local(local) => ExprKind::Local(*local),
            PlaceRoot::LocalElement { local, index } => {
                ExprKind::LocalElement { local: *local, index: Box::new(index.clone()) }
            }
            PlaceRoot::Element { array, index } => ExprKind::Load { array: *array, index: index.clone() },
        };
        self.path.iter().fold(expr(kind, root), |base, step| match (step, base.ty) {
            (Projection::Column(at), Type { scalar, shape: Shape::Matrix(n, _) }) => {
                expr(ExprKind::Column(Box::new(base), Box::new(at.clone())), Type::vector(scalar, n))
            }
            (Projection::Column(at) | Projection::Component(at), ty) => {
                expr(ExprKind::Component(Box::new(base), Box::new(at.clone())), Type::of(ty.scalar()))
            }
        })
    }
}
