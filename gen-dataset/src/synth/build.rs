//! Short words for nodes of the IR.

use kernel_ir::ir::{
    Block, Direction, Expr, ExprKind, ForRange, Literal, LocalId, ParamId, Place, PlaceRoot, Projection, Scalar, Shape,
    Span, Stmt, StmtKind, Type,
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

/// An operation on two values of one type that gives another one.
pub(super) fn both(op: Op, a: Expr, b: Expr) -> Expr {
    let ty = a.ty;
    self::op(op, vec![a, b], ty)
}

pub(super) fn add(a: Expr, b: Expr) -> Expr {
    both(Op::Add, a, b)
}

pub(super) fn sub(a: Expr, b: Expr) -> Expr {
    both(Op::Sub, a, b)
}

pub(super) fn mul(a: Expr, b: Expr) -> Expr {
    both(Op::Mul, a, b)
}

pub(super) fn div(a: Expr, b: Expr) -> Expr {
    both(Op::Div, a, b)
}

/// A function of one value that gives another one of its type.
pub(super) fn call(op: Op, a: Expr) -> Expr {
    let ty = a.ty;
    self::op(op, vec![a], ty)
}

pub(super) fn local(id: LocalId, ty: Type) -> Expr {
    node(ExprKind::Local(id), ty)
}

pub(super) fn param(id: ParamId, ty: Type) -> Expr {
    node(ExprKind::Param(id), ty)
}

pub(super) fn load(array: ParamId, index: Vec<Expr>, ty: Type) -> Expr {
    node(ExprKind::Load { array, index }, ty)
}

pub(super) fn extent(array: ParamId, axis: u8) -> Expr {
    node(ExprKind::Extent { array, axis }, Type::INDEX)
}

/// The integer `value` as a `ty`, cut to what fits.
pub(super) fn int(value: i64, ty: Type) -> Expr {
    let literal = Literal::int(value.into(), ty).or_else(|| Literal::int(1, ty));
    Expr::literal(literal.unwrap_or(Literal::Bool(true)))
}

pub(super) fn index(value: usize) -> Expr {
    int(value as i64, Type::INDEX)
}

pub(super) fn float(value: f64, scalar: Scalar) -> Expr {
    Expr::literal(if scalar == Scalar::F32 { Literal::f32(value as f32) } else { Literal::f64(value) })
}

/// The number `value` as a `ty`, a scalar.
pub(super) fn number(value: f64, ty: Type) -> Expr {
    if ty.is_float() { float(value, ty.scalar()) } else { int(value as i64, ty) }
}

/// `expr` as a `ty`; nothing is written where it is one.
pub(super) fn cast(expr: Expr, ty: Type) -> Expr {
    if expr.ty == ty { expr } else { node(ExprKind::Cast(Box::new(expr)), ty) }
}

pub(super) fn select(cond: Expr, then: Expr, other: Expr) -> Expr {
    let ty = then.ty;
    node(ExprKind::Select { cond: Box::new(cond), then: Box::new(then), other: Box::new(other) }, ty)
}

/// A component, or a column of a matrix.
pub(super) fn part(base: Expr, number: Expr) -> Expr {
    let scalar = base.ty.scalar();
    match base.ty.shape {
        Shape::Matrix(n, _) => node(ExprKind::Column(Box::new(base), Box::new(number)), Type::vector(scalar, n)),
        _ => node(ExprKind::Component(Box::new(base), Box::new(number)), scalar.into()),
    }
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

/// The component of `place`, or the column of a matrix, of that number.
pub(super) fn part_of(mut place: Place, number: Expr) -> Place {
    let scalar = place.ty.scalar();
    let (step, ty) = match place.ty.shape {
        Shape::Matrix(n, _) => (Projection::Column(number), Type::vector(scalar, n)),
        _ => (Projection::Component(number), scalar.into()),
    };
    place.path.push(step);
    place.ty = ty;
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

/// `for local in start..end`.
pub(super) fn for_loop(local: LocalId, start: Expr, end: Expr, body: Block) -> Stmt {
    let range = ForRange { start, end, inclusive: false, direction: Direction::Up, step: None };
    stmt(StmtKind::For { local, range, body })
}

pub(super) fn while_loop(cond: Expr, body: Block) -> Stmt {
    stmt(StmtKind::While { cond, body })
}
