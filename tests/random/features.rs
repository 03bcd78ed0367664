//! Counts the features of random kernels, so that a generator that omits one is noticed.

use kernel_ir::ir::{
    AtomicOp, Direction, Expr, ExprKind, Kernel, Param, ParamId, ParamKind, Place, PlaceRoot, Projection, SizeExpr,
    Stmt, StmtKind, Type,
};
use kernel_ir::ops::Op;

/// A feature: its name, and a predicate on kernels.
type Feature = (&'static str, fn(&Kernel) -> bool);

/// All features that random kernels must have.
pub(super) const FEATURES: [Feature; 75] = [
    ("let without a value", |k| stmt(k, |s| matches!(s.kind, StmtKind::Let { init: None, .. }))),
    ("overwritten local", |k| place(k, |p| is_local(p) && p.path.is_empty())),
    ("hidden local", |k| (0..k.locals.len()).any(|n| k.locals[..n].iter().any(|other| other.name == k.locals[n].name))),
    ("update", |k| stmt(k, |s| matches!(s.kind, StmtKind::Update { .. }))),
    ("+=", |k| updated(k, Op::Add)),
    ("-=", |k| updated(k, Op::Sub)),
    ("*=", |k| updated(k, Op::Mul)),
    ("/=", |k| updated(k, Op::Div)),
    ("component assigned", |k| place(k, |p| matches!(p.path.last(), Some(Projection::Component(i)) if is_literal(i)))),
    ("component assigned by number", |k| {
        place(k, |p| matches!(p.path.last(), Some(Projection::Component(i)) if !is_literal(i)))
    }),
    ("column assigned", |k| place(k, |p| matches!(p.path.last(), Some(Projection::Column(_))))),
    ("component of a column assigned", |k| place(k, |p| p.path.len() == 2)),
    ("component of an element assigned", |k| place(k, |p| !is_local(p) && !p.path.is_empty())),
    ("atomic_add", |k| stmt(k, |s| matches!(s.kind, StmtKind::Atomic { op: AtomicOp::Add, .. }))),
    ("atomic_sub", |k| stmt(k, |s| matches!(s.kind, StmtKind::Atomic { op: AtomicOp::Sub, .. }))),
    ("atomic on a vector", |k| stmt(k, |s| s.atomic().is_some_and(|(_, place)| !place.ty.is_scalar()))),
    ("atomic on a component", |k| stmt(k, |s| s.atomic().is_some_and(|(_, place)| !place.path.is_empty()))),
    ("if without else", |k| stmt(k, |s| matches!(&s.kind, StmtKind::If { other, .. } if other.is_empty()))),
    ("else", |k| stmt(k, |s| matches!(&s.kind, StmtKind::If { other, .. } if !other.is_empty()))),
    ("else if", |k| stmt(k, |s| matches!(&s.kind, StmtKind::If { other, .. } if is_chain(other)))),
    ("branch on data", |k| stmt(k, |s| matches!(&s.kind, StmtKind::If { cond, .. } if is_on_data(cond)))),
    ("branch on an index", |k| stmt(k, |s| matches!(&s.kind, StmtKind::If { cond, .. } if !is_on_data(cond)))),
    ("for up", |k| ranges(k, |r| r.direction == Direction::Up)),
    ("for down", |k| ranges(k, |r| r.direction == Direction::Down)),
    ("step", |k| ranges(k, |r| r.step.is_some())),
    ("down in steps", |k| ranges(k, |r| r.step.is_some() && r.direction == Direction::Down)),
    ("inclusive", |k| ranges(k, |r| r.inclusive)),
    ("constant trips", |k| ranges(k, |r| is_literal(&r.end))),
    ("trips by parameter", |k| ranges(k, |r| has(&r.end, &|e| matches!(e.kind, ExprKind::Param(_))))),
    ("trips by data", |k| ranges(k, |r| has(&r.end, &is_load))),
    ("trips by extent", |k| ranges(k, |r| matches!(r.end.kind, ExprKind::Extent { .. }))),
    ("while on a counter", |k| whiles(k, |cond| !is_literal(cond) && !is_on_data(cond))),
    ("while on data", |k| whiles(k, |cond| is_on_data(cond) && !has(cond, &|e| e.ty.scalar().is_integer()))),
    ("while on both", |k| whiles(k, |cond| is_on_data(cond) && is_op(cond, Op::And))),
    ("loop", |k| whiles(k, is_literal)),
    ("nested loops", |k| inside(k, &[is_loop, is_loop])),
    ("three nested loops", |k| inside(k, &[is_loop, is_loop, is_loop])),
    ("loop in a branch", |k| inside(k, &[is_branch, is_loop])),
    ("branch in a loop", |k| inside(k, &[is_loop, is_branch])),
    ("break", |k| inside(k, &[is_loop, is_branch, |s| s.kind == StmtKind::Break])),
    ("continue", |k| inside(k, &[is_loop, is_branch, |s| s.kind == StmtKind::Continue])),
    ("continue before a break", |k| {
        inside(k, &[is_loop, |s| s.blocks().any(|block| continues_before_it_breaks(block))])
    }),
    ("return in a loop", |k| inside(k, &[is_loop, is_branch, |s| s.kind == StmtKind::Return(None)])),
    ("return in nested loops", |k| inside(k, &[is_loop, is_loop, |s| s.kind == StmtKind::Return(None)])),
    ("return in a branch", |k| inside(k, &[is_branch, |s| s.kind == StmtKind::Return(None)])),
    ("select", |k| expr(k, |e| matches!(e.kind, ExprKind::Select { .. }))),
    ("and", |k| expr(k, |e| is_op(e, Op::And))),
    ("or", |k| expr(k, |e| is_op(e, Op::Or))),
    ("not", |k| expr(k, |e| is_op(e, Op::Not))),
    ("component", |k| expr(k, |e| matches!(&e.kind, ExprKind::Component(_, i) if is_literal(i)))),
    ("component by number", |k| expr(k, |e| matches!(&e.kind, ExprKind::Component(_, i) if !is_literal(i)))),
    ("integer to float", |k| cast(k, |from, to| from.scalar().is_integer() && to.is_float())),
    ("float to integer", |k| cast(k, |from, to| from.is_float() && to.scalar().is_integer())),
    ("float to float", |k| cast(k, |from, to| from.is_float() && to.is_float())),
    ("f32", |k| k.locals.iter().any(|local| local.ty == Type::F32)),
    ("f64", |k| k.locals.iter().any(|local| local.ty == Type::F64)),
    ("vector", |k| k.locals.iter().any(|local| local.ty.is_vector())),
    ("matrix", |k| k.locals.iter().any(|local| local.ty.is_matrix())),
    ("quaternion", |k| k.locals.iter().any(|local| local.ty.is_quat())),
    ("truth value", |k| k.locals.iter().any(|local| local.ty == Type::BOOL)),
    ("mask", |k| k.params.iter().any(|p| p.rank() > 0 && p.elem() == Type::BOOL && !p.is_mutable())),
    ("mask in place", |k| place(k, |p| !is_local(p) && p.ty == Type::BOOL)),
    ("two launch axes", |k| k.dim == 2),
    ("float parameter", |k| k.params.iter().any(|p| matches!(p.kind, ParamKind::Value(ty) if ty.is_float()))),
    ("shape by parameter", |k| k.params.iter().any(|p| p.sizes().iter().any(|s| matches!(s, SizeExpr::Param(_))))),
    ("optional array read", |k| arrays_of(k, |p| p.is_optional() && !p.is_mutable())),
    ("optional array written", |k| arrays_of(k, |p| p.is_optional() && p.is_mutable())),
    ("written only", |k| arrays(k, |reads, writes, _| !reads && writes)),
    ("in place", |k| arrays(k, |reads, writes, _| reads && writes)),
    ("accumulated", |k| arrays(k, |_, writes, updates| !writes && updates)),
    ("index by array", |k| index(k, |i| has(i, &is_load))),
    ("index by constant", |k| index(k, is_literal)),
    ("index with wrap", |k| index(k, |i| is_op(i, Op::Rem))),
    ("index at the edge", |k| index(k, |i| is_op(i, Op::Min) || is_op(i, Op::SaturatingSub))),
    ("guarded index", |k| index(k, |i| is_op(i, Op::Add) || is_op(i, Op::Sub))),
];

fn arrays_of(kernel: &Kernel, holds: impl Fn(&Param) -> bool) -> bool {
    kernel.params.iter().any(holds)
}

fn stmt(kernel: &Kernel, holds: impl Fn(&Stmt) -> bool) -> bool {
    let mut found = false;
    kernel.walk_stmts(&mut |stmt| found |= holds(stmt));
    found
}

fn expr(kernel: &Kernel, holds: impl Fn(&Expr) -> bool) -> bool {
    let mut found = false;
    kernel.walk_exprs(&mut |expr| found |= holds(expr));
    found
}

fn has(expr: &Expr, holds: &dyn Fn(&Expr) -> bool) -> bool {
    let mut found = false;
    expr.walk(&mut |part| found |= holds(part));
    found
}

/// Whether the block ends with a `break`, after a branch with a `continue`.
fn continues_before_it_breaks(block: &[Stmt]) -> bool {
    let continues = |stmt: &Stmt| is_branch(stmt) && stmt.any(&mut |stmt| stmt.kind == StmtKind::Continue);
    matches!(block.split_last(), Some((Stmt { kind: StmtKind::Break, .. }, before)) if before.iter().any(continues))
}

/// Whether a statement for which the last of `levels` holds is nested in one for which the previous one holds, and so
/// on.
fn inside(kernel: &Kernel, levels: &[fn(&Stmt) -> bool]) -> bool {
    fn search(block: &[Stmt], levels: &[fn(&Stmt) -> bool]) -> bool {
        let Some((fits, inner)) = levels.split_first() else { return true };
        block.iter().any(|stmt| {
            let levels = if fits(stmt) { inner } else { levels };
            levels.is_empty() || stmt.blocks().any(|block| search(block, levels))
        })
    }
    search(&kernel.body, levels)
}

/// Whether `fits` holds for a place that is assigned or updated without an atomic.
fn place(kernel: &Kernel, fits: impl Fn(&Place) -> bool) -> bool {
    stmt(kernel, |stmt| match &stmt.kind {
        StmtKind::Assign { place, .. } | StmtKind::Update { place, .. } => fits(place),
        _ => false,
    })
}

fn updated(kernel: &Kernel, by: Op) -> bool {
    stmt(kernel, |stmt| matches!(stmt.kind, StmtKind::Update { op, .. } if op == by))
}

fn ranges(kernel: &Kernel, fits: impl Fn(&kernel_ir::ir::ForRange) -> bool) -> bool {
    stmt(kernel, |stmt| matches!(&stmt.kind, StmtKind::For { range, .. } if fits(range)))
}

fn whiles(kernel: &Kernel, fits: impl Fn(&Expr) -> bool) -> bool {
    stmt(kernel, |stmt| matches!(&stmt.kind, StmtKind::While { cond, .. } if fits(cond)))
}

fn cast(kernel: &Kernel, fits: impl Fn(Type, Type) -> bool) -> bool {
    expr(kernel, |expr| matches!(&expr.kind, ExprKind::Cast(inner) if fits(inner.ty, expr.ty)))
}

/// Whether `fits` holds for an index of a load.
fn index(kernel: &Kernel, fits: impl Fn(&Expr) -> bool) -> bool {
    expr(kernel, |expr| matches!(&expr.kind, ExprKind::Load { index, .. } if index.iter().any(&fits)))
}

/// Whether `fits` holds for the use of a mutable array: whether it is read, assigned, updated.
fn arrays(kernel: &Kernel, fits: impl Fn(bool, bool, bool) -> bool) -> bool {
    let is_of = |place: &Place, id: ParamId| matches!(place.root, PlaceRoot::Element { array, .. } if array == id);
    kernel.param_ids().filter(|(_, param)| param.is_mutable()).any(|(id, _)| {
        let reads = expr(kernel, |e| matches!(e.kind, ExprKind::Load { array, .. } if array == id));
        let writes = stmt(kernel, |s| matches!(&s.kind, StmtKind::Assign { place, .. } if is_of(place, id)));
        let updates = stmt(kernel, |s| matches!(&s.kind, StmtKind::Update { place, .. } if is_of(place, id)));
        fits(reads, writes, updates)
    })
}

fn is_local(place: &Place) -> bool {
    matches!(place.root, PlaceRoot::Local(_))
}

fn is_literal(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Literal(_))
}

fn is_load(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Load { .. })
}

fn is_op(expr: &Expr, op: Op) -> bool {
    matches!(expr.kind, ExprKind::Op(found, _) if found == op)
}

fn is_on_data(cond: &Expr) -> bool {
    has(cond, &|part| part.ty.is_float())
}

fn is_chain(block: &[Stmt]) -> bool {
    matches!(block, [only] if is_branch(only))
}

fn is_branch(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::If { .. })
}

fn is_loop(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::For { .. } | StmtKind::While { .. })
}
