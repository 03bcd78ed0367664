//! The bounds of indices, which texts do not check: what only bounds need is left out of a text.

use crate::ir::{Expr, ExprKind, Kernel, LocalSet, Stmt, StmtKind};
use crate::ops::Op;

/// The locals that only bounds of indices read, also by way of other such locals. A compiler would warn of them.
pub(super) fn locals_of_bounds(code: &Kernel) -> LocalSet {
    let mut found = LocalSet::default();
    loop {
        let (mut read, mut of_bounds) = (LocalSet::default(), LocalSet::default());
        code.walk_stmts(&mut |stmt| match &stmt.kind {
            StmtKind::Let { local, init: Some(init) } if found.contains(*local) => add_all(init, &mut of_bounds),
            StmtKind::Let { .. }
            | StmtKind::Assign { .. }
            | StmtKind::Update { .. }
            | StmtKind::Atomic { .. }
            | StmtKind::If { .. }
            | StmtKind::For { .. }
            | StmtKind::While { .. }
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_)
            | StmtKind::Print(_) => stmt.exprs().for_each(|expr| add(expr, &mut read, &mut of_bounds)),
        });
        let mut changed = false;
        code.walk_stmts(&mut |stmt| {
            if let Stmt { kind: StmtKind::Let { local, init: Some(_) }, .. } = stmt
                && !code.local(*local).mutable
                && of_bounds.contains(*local)
                && !read.contains(*local)
            {
                changed |= found.insert(*local);
            }
        });
        if !changed {
            return found;
        }
    }
}

/// Adds the locals that the text of an expression names to `read`, and those in bounds to `of_bounds`.
fn add(expr: &Expr, read: &mut LocalSet, of_bounds: &mut LocalSet) {
    if let ExprKind::Op(Op::Below, args) = &expr.kind {
        add(&args[0], read, of_bounds);
        return add_all(&args[1], of_bounds);
    }
    expr.local_read().into_iter().for_each(|local| {
        read.insert(local);
    });
    expr.children().for_each(|child| add(child, read, of_bounds));
}

fn add_all(expr: &Expr, locals: &mut LocalSet) {
    expr.walk(&mut |expr| {
        expr.local_read().into_iter().for_each(|local| {
            locals.insert(local);
        });
    });
}
