//! Short words for nodes of the IR.

use kernel_ir::ir::{
    Block, Expr, ExprKind, Literal, LocalId, ParamId, Place, PlaceRoot, Projection, Scalar, Shape, Span, Stmt,
    StmtKind, Type,
};
use kernel_ir::ops::Op;

pub(super) fn node(kind: ExprKind, ty: Type) -> Expr {
    Expr { kind, ty, span: Span::NONE }
}

pub(super) fn op(op: Op, args: Vec<Expr>, ty: Type) -> Expr {
    node(ExprKind::Op(op, args), ty)
}

/// A comparison or a logical operation.
pub(super) fn test(op: Op, a: Expr, b: Expr) -> Expr {
    self::op(op, vec![a, b], Type::BOOL)
}

/// An operation on two values of one type.
pub(super) fn both(op: Op, a: Expr, b: Expr) -> Expr {
    let ty = a.ty;
    self::op(op, vec![a, b], ty)
}

pub(super) fn local(id: LocalId, ty: Type) -> Expr {
    node(ExprKind::Local(id), ty)
}

/// The integer `value`, which fits `ty`.
pub(super) fn int(value: i64, ty: Type) -> Expr {
    Literal::int(value.into(), ty).map(Expr::literal).expect("the generator makes small integers")
}

pub(super) fn float(value: f64, scalar: Scalar) -> Expr {
    Expr::literal(if scalar == Scalar::F32 { Literal::f32(value as f32) } else { Literal::f64(value) })
}

/// `expr` as a `ty`; nothing is written where it is one.
pub(super) fn cast(expr: Expr, ty: Type) -> Expr {
    if expr.ty == ty { expr } else { node(ExprKind::Cast(Box::new(expr)), ty) }
}

pub(super) fn select(cond: Expr, then: Expr, other: Expr) -> Expr {
    let ty = then.ty;
    node(ExprKind::Select { cond: Box::new(cond), then: Box::new(then), other: Box::new(other) }, ty)
}

pub(super) fn component(base: Expr, index: Expr) -> Expr {
    let ty = base.ty.scalar().into();
    node(ExprKind::Component(Box::new(base), Box::new(index)), ty)
}

pub(super) fn stmt(kind: StmtKind) -> Stmt {
    Stmt { kind, span: Span::NONE }
}

pub(super) fn local_place(id: LocalId, ty: Type) -> Place {
    Place { root: PlaceRoot::Local(id), path: Vec::new(), ty, span: Span::NONE }
}

pub(super) fn element_place(array: ParamId, index: Vec<Expr>, ty: Type) -> Place {
    Place { root: PlaceRoot::Element { array, index }, path: Vec::new(), ty, span: Span::NONE }
}

/// The part of `place` at the end of `step`.
pub(super) fn part_of(mut place: Place, step: Projection) -> Place {
    place.ty = match (&step, place.ty) {
        (Projection::Column(_), Type { scalar, shape: Shape::Matrix(n, _) }) => Type::vector(scalar, n),
        (_, ty) => ty.scalar().into(),
    };
    place.path.push(step);
    place
}

pub(super) fn assign(place: Place, value: Expr) -> Stmt {
    stmt(StmtKind::Assign { place, value })
}

pub(super) fn update(place: Place, op: Op, value: Expr) -> Stmt {
    stmt(StmtKind::Update { place, op, value })
}

pub(super) fn declare(local: LocalId, init: Expr) -> Stmt {
    stmt(StmtKind::Let { local, init: Some(init) })
}

pub(super) fn branch(cond: Expr, then: Block, other: Block) -> Stmt {
    stmt(StmtKind::If { cond, then, other })
}
