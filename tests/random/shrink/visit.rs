//! Mutable visitors of statements and expressions.

use kernel_ir::ir::{Expr, ExprKind, Kernel, LocalId, ParamId, PlaceRoot, SizeExpr, Stmt, StmtKind};

/// Calls `visit` on every statement, outer ones first.
fn each_stmt(block: &mut [Stmt], visit: &mut dyn FnMut(&mut Stmt)) {
    block.iter_mut().for_each(|stmt| stmt.walk_mut(&mut |stmt| visit(stmt)));
}

/// Calls `visit` on every expression, inner ones first.
fn each_expr(block: &mut [Stmt], visit: &mut dyn FnMut(&mut Expr)) {
    fn each(expr: &mut Expr, visit: &mut dyn FnMut(&mut Expr)) {
        expr.children_mut().for_each(|part| each(part, visit));
        visit(expr);
    }
    each_stmt(block, &mut |stmt| stmt.exprs_mut().for_each(|expr| each(expr, visit)));
}

/// Replaces reads of `local` by `value`.
pub(super) fn replace_local(block: &mut [Stmt], local: LocalId, value: &Expr) {
    each_expr(block, &mut |expr| {
        if expr.kind == ExprKind::Local(local) {
            *expr = value.clone();
        }
    });
}

/// Calls `visit` on the id of every local in the body.
fn each_local(kernel: &mut Kernel, visit: &mut dyn FnMut(&mut LocalId)) {
    each_stmt(&mut kernel.body, &mut |stmt| match &mut stmt.kind {
        StmtKind::Let { local, .. } | StmtKind::For { local, .. } => visit(local),
        StmtKind::Assign { place, .. } | StmtKind::Update { place, .. } => {
            if let PlaceRoot::Local(local) = &mut place.root {
                visit(local);
            }
        }
        StmtKind::Atomic { result, .. } => result.iter_mut().for_each(&mut *visit),
        _ => {}
    });
    each_expr(&mut kernel.body, &mut |expr| {
        if let ExprKind::Local(local) = &mut expr.kind {
            visit(local);
        }
    });
}

/// Calls `visit` on the id of every parameter in the body.
fn each_param(kernel: &mut Kernel, visit: &mut dyn FnMut(&mut ParamId)) {
    each_stmt(&mut kernel.body, &mut |stmt| match &mut stmt.kind {
        StmtKind::Assign { place, .. } | StmtKind::Update { place, .. } | StmtKind::Atomic { place, .. } => {
            if let PlaceRoot::Element { array, .. } = &mut place.root {
                visit(array);
            }
        }
        _ => {}
    });
    each_expr(&mut kernel.body, &mut |expr| expr.params_mut().iter_mut().for_each(&mut *visit));
}

/// Removes the locals that the body does not mention.
pub(super) fn drop_locals(kernel: &mut Kernel) {
    let mut named = vec![false; kernel.locals.len()];
    each_local(kernel, &mut |local| named[local.0 as usize] = true);
    let before = |place: u32| named[..place as usize].iter().filter(|named| **named).count() as u32;
    each_local(kernel, &mut |local| local.0 = before(local.0));
    let mut named = named.iter();
    kernel.locals.retain(|_| named.next() == Some(&true));
}

/// Whether the body, a shape or a domain mentions the parameter.
pub(super) fn is_used(kernel: &mut Kernel, param: ParamId) -> bool {
    let mut used = kernel.params.iter().flat_map(|other| other.sizes()).any(|size| size.params().contains(&param));
    each_param(kernel, &mut |id| used |= *id == param);
    used
}

/// Removes a parameter that nothing mentions.
pub(super) fn drop_param(kernel: &mut Kernel, param: ParamId) {
    fn move_up(id: &mut ParamId, dropped: ParamId) {
        id.0 -= u32::from(*id > dropped);
    }
    fn in_size(size: &mut SizeExpr, dropped: ParamId) {
        match size {
            SizeExpr::Literal(_) | SizeExpr::Dim(_) => {}
            SizeExpr::Param(id) | SizeExpr::Extent(id, _) => move_up(id, dropped),
            SizeExpr::Add(a, b) | SizeExpr::Sub(a, b) | SizeExpr::Mul(a, b) | SizeExpr::Div(a, b) => {
                in_size(a, dropped);
                in_size(b, dropped);
            }
        }
    }
    kernel.params.remove(param.0 as usize);
    for other in &mut kernel.params {
        other.sizes_mut().for_each(|size| in_size(size, param));
    }
    each_param(kernel, &mut |id| move_up(id, param));
}
