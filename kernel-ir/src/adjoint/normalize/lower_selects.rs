//! Lowers `if` expressions of float types to `if` statements.
//!
//! A derivative goes only through the side that is chosen. As statements, the reverse sweep handles the sides like any
//! other branch, and does not evaluate the side that is not chosen. A choice between the elements of tiles stays an expression.

use crate::ir::{Block, Expr, ExprKind, Kernel, Local, LocalId, Place, Span, Stmt, StmtKind};
use crate::rewrite::build::{expr, local_place};

/// Lowers every `if` expression of a float type in the values that `kernel` assigns. Conditions and indices keep
/// theirs, because no derivative goes through them.
pub(crate) fn lower_selects(kernel: &mut Kernel) {
    let body = std::mem::take(&mut kernel.body);
    kernel.body = block(body, &mut kernel.locals);
}

fn block(block: Block, locals: &mut Vec<Local>) -> Block {
    let mut out = Block::new();
    for stmt in block {
        self::stmt(stmt, locals, &mut out);
    }
    out
}

fn stmt(Stmt { kind, span }: Stmt, locals: &mut Vec<Local>, out: &mut Block) {
    let kind = match kind {
        StmtKind::Let { local, init: Some(init) } if is_select(&init) => {
            out.push(Stmt { kind: StmtKind::Let { local, init: None }, span });
            locals[local.0 as usize].mutable = true;
            let place = local_place(local, init.ty);
            return self::stmt(Stmt { kind: StmtKind::Assign { place, value: init }, span }, locals, out);
        }
        StmtKind::Assign { place, value } if is_select(&value) => {
            return split(value, span, locals, out, &|value| StmtKind::Assign { place: place.clone(), value });
        }
        StmtKind::Update { place, op, value } if is_select(&value) => {
            return split(value, span, locals, out, &|value| StmtKind::Update { place: place.clone(), op, value });
        }
        kind @ (StmtKind::Let { .. }
        | StmtKind::Assign { .. }
        | StmtKind::Update { .. }
        | StmtKind::Atomic { .. }
        | StmtKind::If { .. }
        | StmtKind::For { .. }
        | StmtKind::While { .. }
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return(_)
        | StmtKind::Print(_)) => kind,
    };
    let mut stmt = Stmt { kind, span };
    if let Some(value) = given_value(&mut stmt) {
        hoist(value, locals, out);
    }
    for inner in stmt.blocks_mut() {
        *inner = block(std::mem::take(inner), locals);
    }
    out.push(stmt);
}

/// The value that the statement assigns.
fn given_value(stmt: &mut Stmt) -> Option<&mut Expr> {
    match &mut stmt.kind {
        StmtKind::Let { init, .. } => init.as_mut(),
        StmtKind::Assign { value, .. } | StmtKind::Update { value, .. } | StmtKind::Atomic { value, .. } => Some(value),
        StmtKind::If { .. }
        | StmtKind::For { .. }
        | StmtKind::While { .. }
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return(_)
        | StmtKind::Print(_) => None,
    }
}

fn is_select(value: &Expr) -> bool {
    matches!(value.kind, ExprKind::Select { .. }) && value.ty.is_float() && !value.ty.is_tile()
}

/// Turns a statement with the `if` expression `value` into an `if` statement; `with` makes the statement for each side.
fn split(value: Expr, span: Span, locals: &mut Vec<Local>, out: &mut Block, with: &dyn Fn(Expr) -> StmtKind) {
    let ExprKind::Select { cond, then, other } = value.kind else { return };
    let mut side = |value: Expr| {
        let mut block = Block::new();
        self::stmt(Stmt { kind: with(value), span }, locals, &mut block);
        block
    };
    let (then, other) = (side(*then), side(*other));
    out.push(Stmt { kind: StmtKind::If { cond: *cond, then, other }, span });
}

/// Replaces every `if` expression inside `value` by a local, which is computed before the statement.
fn hoist(value: &mut Expr, locals: &mut Vec<Local>, out: &mut Block) {
    if !value.ty.is_float() {
        return;
    }
    if is_select(value) {
        let (ty, span) = (value.ty, value.span);
        let local: LocalId = Local::fresh(locals, "chosen", ty);
        let chosen = Expr { span, ..expr(ExprKind::Local(local), ty) };
        let select = std::mem::replace(value, chosen);
        out.push(stmt_at(StmtKind::Let { local, init: None }, span));
        let place: Place = local_place(local, ty);
        return stmt(stmt_at(StmtKind::Assign { place, value: select }, span), locals, out);
    }
    value.children_mut().for_each(|child| hoist(child, locals, out));
}

fn stmt_at(kind: StmtKind, span: Span) -> Stmt {
    Stmt { kind, span }
}
