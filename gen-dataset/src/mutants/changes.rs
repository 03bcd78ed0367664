//! The replacements that each mistake allows for a statement, an expression or a place.
//!
//! An empty list of statements deletes a statement. Every function returns its replacements in a fixed order, because
//! mutants are numbered by it.

use super::mistake::Mistake;
use kernel_ir::ir::{
    AtomicOp, Expr, ExprKind, ForRange, Kernel, Literal, LocalId, Param, ParamId, Place, PlaceRoot, Projection, Span,
    Stmt, StmtKind, Type,
};
use kernel_ir::ops::Op;

/// The replacements of `stmt` itself, not of the statements and expressions inside.
pub(super) fn of_stmt(mistake: Mistake, stmt: &Stmt, kernel: &Kernel) -> Vec<Vec<Stmt>> {
    match mistake {
        Mistake::Bound => bounds(&stmt.kind),
        Mistake::DroppedTerm => match stmt.kind {
            StmtKind::Update { op: Op::Add | Op::Sub, .. } => vec![Vec::new()],
            _ => Vec::new(),
        },
        Mistake::Sign => opposite(&stmt.kind).into_iter().collect(),
        Mistake::MissingAtomic => plain(&stmt.kind).into_iter().collect(),
        Mistake::WrongIndex | Mistake::SwappedArguments => Vec::new(),
        Mistake::StaleOutput => match element(&stmt.kind) {
            // Without the atomic, its result would be undefined.
            Some(_) if !matches!(stmt.kind, StmtKind::Atomic { result: Some(_), .. }) => vec![Vec::new()],
            _ => Vec::new(),
        },
        Mistake::NanOutput => scaled(&stmt.kind, f64::NAN).into_iter().collect(),
        Mistake::ZeroedValue => scaled(&stmt.kind, 0.0).into_iter().collect(),
        Mistake::OverwrittenInput => overwriting(stmt, kernel),
    }
}

/// Whether dropping one operand leaves an expression of the same meaning class: a sum, a product or an extremum.
fn is_of_terms(op: Op) -> bool {
    matches!(op, Op::Add | Op::Sub | Op::Mul | Op::Div | Op::StrongMul | Op::StrongDiv | Op::Min | Op::Max)
}

/// The replacements of `expr` itself, not of its operands.
pub(super) fn of_expr(mistake: Mistake, expr: &Expr, kernel: &Kernel) -> Vec<Expr> {
    let with = |kind: ExprKind| Expr { kind, ..expr.clone() };
    let same = |args: &[Expr]| args.iter().filter(|arg| arg.ty == expr.ty).cloned().collect();
    match (mistake, &expr.kind) {
        // Floats are hardly ever equal, so the mutant of a comparison of floats would not show.
        (Mistake::Bound, ExprKind::Op(op, args)) if args[0].ty.is_scalar() && !args[0].ty.is_float() => {
            let other = match op {
                Op::Lt => Op::Le,
                Op::Le => Op::Lt,
                Op::Gt => Op::Ge,
                Op::Ge => Op::Gt,
                _ => return Vec::new(),
            };
            vec![with(ExprKind::Op(other, args.clone()))]
        }
        (Mistake::DroppedTerm, ExprKind::Op(op, args)) if is_of_terms(*op) => same(args),
        (Mistake::Sign, ExprKind::Op(Op::Neg, args)) => same(args),
        (Mistake::Sign, ExprKind::Op(Op::Add, args)) => vec![with(ExprKind::Op(Op::Sub, args.clone()))],
        (Mistake::Sign, ExprKind::Op(Op::Sub, args)) => vec![with(ExprKind::Op(Op::Add, args.clone()))],
        (Mistake::WrongIndex, ExprKind::Load { array, index }) => {
            beside(index).into_iter().map(|index| with(ExprKind::Load { array: *array, index })).collect()
        }
        (Mistake::WrongIndex, ExprKind::Tid(axis)) => {
            (0..kernel.dim).filter(|other| other != axis).map(|other| with(ExprKind::Tid(other))).collect()
        }
        (Mistake::WrongIndex, ExprKind::Local(local)) => {
            other_axes(*local, kernel).into_iter().map(|other| with(ExprKind::Local(other))).collect()
        }
        (Mistake::WrongIndex, ExprKind::Component(base, index)) => next_literal(index, base.ty)
            .into_iter()
            .map(|index| with(ExprKind::Component(base.clone(), index.into())))
            .collect(),
        (Mistake::SwappedArguments, ExprKind::Op(op, args)) => {
            swaps(args).into_iter().map(|args| with(ExprKind::Op(*op, args))).collect()
        }
        (Mistake::SwappedArguments, ExprKind::Call(callee, args)) => {
            swaps(args).into_iter().map(|args| with(ExprKind::Call(callee.clone(), args))).collect()
        }
        (Mistake::SwappedArguments, ExprKind::Load { array, index }) => {
            swaps(index).into_iter().map(|index| with(ExprKind::Load { array: *array, index })).collect()
        }
        (Mistake::SwappedArguments, ExprKind::Select { cond, then, other }) if then != other => {
            vec![with(ExprKind::Select { cond: cond.clone(), then: other.clone(), other: then.clone() })]
        }
        _ => Vec::new(),
    }
}

/// The replacements of the indices of a place.
pub(super) fn of_place(mistake: Mistake, place: &Place, kernel: &Kernel) -> Vec<Place> {
    let PlaceRoot::Element { array, index } = &place.root else { return Vec::new() };
    let indices = match mistake {
        Mistake::WrongIndex => beside(index),
        Mistake::SwappedArguments => swaps(index),
        _ => return Vec::new(),
    };
    let at = |index| Place { root: PlaceRoot::Element { array: *array, index }, ..place.clone() };
    let mut places: Vec<Place> = indices.into_iter().map(at).collect();
    if let (Mistake::WrongIndex, [Projection::Component(number)]) = (mistake, place.path.as_slice()) {
        let next = next_literal(number, kernel.param(*array).elem());
        let of = |number| Place { path: vec![Projection::Component(number)], ..place.clone() };
        places.extend(next.map(of));
    }
    places
}

/// The local and the axis of a statement `let i = tid(axis)`. This statement is not mutated: a second name for the
/// other axis is no mistake that people make. Uses of the local are replaced instead.
pub(super) fn axis_of(stmt: &Stmt) -> Option<(LocalId, u8)> {
    match &stmt.kind {
        StmtKind::Let { local, init: Some(Expr { kind: ExprKind::Tid(axis), .. }) } => Some((*local, *axis)),
        _ => None,
    }
}

/// If `local` is an axis of the launch, the locals that are the other axes.
fn other_axes(local: LocalId, kernel: &Kernel) -> Vec<LocalId> {
    let axes: Vec<(LocalId, u8)> = kernel.body.iter().filter_map(axis_of).collect();
    match axes.iter().find(|(of, _)| *of == local) {
        Some((_, axis)) => axes.iter().filter(|(_, other)| other != axis).map(|(other, _)| *other).collect(),
        None => Vec::new(),
    }
}

/// Loops that end one trip late or early, or begin one trip late.
fn bounds(stmt: &StmtKind) -> Vec<Vec<Stmt>> {
    let StmtKind::For { local, range, body } = stmt else { return Vec::new() };
    let one = |range: ForRange| vec![new(StmtKind::For { local: *local, range, body: body.clone() })];
    vec![
        one(ForRange { end: shifted(&range.end, Op::Add), ..range.clone() }),
        one(ForRange { end: shifted(&range.end, Op::Sub), ..range.clone() }),
        one(ForRange { start: shifted(&range.start, Op::Add), ..range.clone() }),
    ]
}

/// An update or atomic with the opposite operation.
fn opposite(stmt: &StmtKind) -> Option<Vec<Stmt>> {
    let kind = match stmt {
        StmtKind::Update { place, op, value } => {
            let op = match op {
                Op::Add => Op::Sub,
                Op::Sub => Op::Add,
                _ => return None,
            };
            StmtKind::Update { place: place.clone(), op, value: value.clone() }
        }
        StmtKind::Atomic { op, place, value, result, .. } => {
            let op = match op {
                AtomicOp::Add => AtomicOp::Sub,
                AtomicOp::Sub => AtomicOp::Add,
                AtomicOp::Min => AtomicOp::Max,
                AtomicOp::Max => AtomicOp::Min,
                AtomicOp::And => AtomicOp::Or,
                AtomicOp::Or => AtomicOp::And,
                AtomicOp::Xor | AtomicOp::Exch | AtomicOp::Cas => return None,
            };
            StmtKind::Atomic { op, place: place.clone(), compare: None, value: value.clone(), result: *result }
        }
        _ => return None,
    };
    Some(vec![new(kind)])
}

/// The load and the store of an atomic as separate statements. Another thread may run between them.
fn plain(stmt: &StmtKind) -> Option<Vec<Stmt>> {
    let StmtKind::Atomic { op, place, compare, value, result } = stmt else { return None };
    let PlaceRoot::Element { array, index } = &place.root else { return None };
    let mut stmts = Vec::new();
    if let (Some(result), []) = (result, place.path.as_slice()) {
        let local = Place { root: PlaceRoot::Local(*result), path: Vec::new(), ty: place.ty, span: Span::NONE };
        stmts.push(new(StmtKind::Assign { place: local, value: load(*array, index, place.ty) }));
    } else if result.is_some() {
        return None;
    }
    let (place, value) = (place.clone(), value.clone());
    let computed = |op, operand: Expr, ty| {
        let operands = vec![load(*array, index, place.ty), operand];
        Expr { ty, kind: ExprKind::Op(op, operands), span: Span::NONE }
    };
    stmts.push(match (op, op.op()) {
        (AtomicOp::Min | AtomicOp::Max, _) if !place.path.is_empty() => return None,
        (AtomicOp::Min | AtomicOp::Max, Some(op)) => {
            let value = computed(op, value, place.ty);
            new(StmtKind::Assign { place, value })
        }
        (_, Some(op)) => new(StmtKind::Update { place, op, value }),
        (_, None) => {
            let is_there = compare.clone().map(|compare| computed(Op::Eq, compare, Type::BOOL));
            let store = new(StmtKind::Assign { place, value });
            match is_there {
                Some(is_there) => Stmt::when(is_there, [store]),
                None => store,
            }
        }
    });
    Some(stmts)
}

/// A store of a float multiplied by `factor`. NaN is written as 0 / 0, because the language has no literal for it.
fn scaled(stmt: &StmtKind, factor: f64) -> Option<Vec<Stmt>> {
    element(stmt)?;
    let scaled = |value: &Expr| {
        let zero = Literal::float(0.0, value.ty.scalar())?;
        let (ty, zero) = (zero.ty(), Expr::literal(zero));
        let factor = match factor.is_nan() {
            true => Expr { kind: ExprKind::Op(Op::Div, vec![zero.clone(), zero]), ty, span: Span::NONE },
            false => zero,
        };
        Some(Expr { kind: ExprKind::Op(Op::Mul, vec![value.clone(), factor]), ty: value.ty, span: Span::NONE })
    };
    let kind = match stmt {
        StmtKind::Assign { place, value } => StmtKind::Assign { place: place.clone(), value: scaled(value)? },
        StmtKind::Update { place, op: op @ (Op::Add | Op::Sub), value } => {
            StmtKind::Update { place: place.clone(), op: *op, value: scaled(value)? }
        }
        StmtKind::Atomic { op: op @ (AtomicOp::Add | AtomicOp::Sub), place, value, result, .. } => {
            StmtKind::Atomic { op: *op, place: place.clone(), compare: None, value: scaled(value)?, result: *result }
        }
        _ => return None,
    };
    Some(vec![new(kind)])
}

/// A store, followed by the same store to an input.
fn overwriting(stmt: &Stmt, kernel: &Kernel) -> Vec<Vec<Stmt>> {
    let StmtKind::Assign { place, value } = &stmt.kind else { return Vec::new() };
    let PlaceRoot::Element { index, .. } = &place.root else { return Vec::new() };
    let fits = |param: &Param| {
        param.rank() == index.len() && !param.is_mutable() && param.elem() == value.ty && place.path.is_empty()
    };
    let into = |(array, _): (ParamId, &Param)| {
        let root = PlaceRoot::Element { array, index: index.clone() };
        let place = Place { root, path: Vec::new(), ty: value.ty, span: Span::NONE };
        vec![stmt.clone(), new(StmtKind::Assign { place, value: value.clone() })]
    };
    kernel.param_ids().filter(|(_, param)| fits(param)).map(into).collect()
}

/// The array element that a statement changes.
fn element(stmt: &StmtKind) -> Option<&Place> {
    match stmt {
        StmtKind::Assign { place, .. } | StmtKind::Update { place, .. } | StmtKind::Atomic { place, .. } => {
            Some(place).filter(|place| matches!(place.root, PlaceRoot::Element { .. }))
        }
        _ => None,
    }
}

/// The index lists in which one index is one higher or one lower.
fn beside(index: &[Expr]) -> Vec<Vec<Expr>> {
    let moved = |axis: usize, op: Op| {
        let mut index = index.to_vec();
        index[axis] = shifted(&index[axis], op);
        index
    };
    (0..index.len()).flat_map(|axis| [moved(axis, Op::Add), moved(axis, Op::Sub)]).collect()
}

/// The lists in which two adjacent, different elements of the same type are exchanged.
fn swaps(args: &[Expr]) -> Vec<Vec<Expr>> {
    let swapped = |place: usize| {
        let mut args = args.to_vec();
        args.swap(place, place + 1);
        args
    };
    let differ = |place: &usize| args[*place].ty == args[place + 1].ty && args[*place] != args[place + 1];
    (0..args.len().saturating_sub(1)).filter(differ).map(swapped).collect()
}

/// The index of the next component, if `index` is a literal.
fn next_literal(index: &Expr, base: Type) -> Option<Expr> {
    let ExprKind::Literal(Literal::Index(number)) = index.kind else { return None };
    Some(Expr::literal(Literal::Index((number + 1) % base.components() as u32)))
}

/// `expr` + 1 or `expr` - 1, by `op`.
fn shifted(expr: &Expr, op: Op) -> Expr {
    let Some(one) = Literal::int(1, expr.ty) else { return expr.clone() };
    Expr { kind: ExprKind::Op(op, vec![expr.clone(), Expr::literal(one)]), ty: expr.ty, span: Span::NONE }
}

fn load(array: ParamId, index: &[Expr], ty: Type) -> Expr {
    Expr { kind: ExprKind::Load { array, index: index.to_vec() }, ty, span: Span::NONE }
}

fn new(kind: StmtKind) -> Stmt {
    Stmt { kind, span: Span::NONE }
}
