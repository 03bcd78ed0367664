//! The rules of structs and tuples.

use super::tiles;
use crate::diag::Diagnostic;
use crate::ir::{Expr, ExprKind, Kernel, Span, Stmt, StmtKind, Struct, Type};

/// Checks the types of parameters and locals of a kernel, or of a function if `ret` is its result.
pub(super) fn check_types(code: &Kernel, ret: Option<Type>, mistakes: &mut Vec<Diagnostic>) {
    for param in &code.params {
        let ty = param.elem();
        let is_in_memory = ret.is_none() || param.rank() > 0;
        // Functions take any enum by value: its numbers are then those of the program.
        if let Some(of) = ty.enum_with_gaps().filter(|_| code.dim > 0 || param.rank() > 0) {
            let message = format!("the numbers of the variants of `{}` are not 0, 1, 2 and so on", of.name);
            mistakes.push(Diagnostic::new(param.span, message));
        }
        if ty.is_tuple() || ty.is_tile() || ty.is_struct() && is_in_memory && ty.layout().is_none() {
            mistakes.push(Diagnostic::new(param.span, format!("`{}` cannot be {}", param.name, ty.rust_name())));
        }
        check_fields(ty, param.span, mistakes);
    }
    for local in &code.locals {
        if local.ty.is_tuple() && local.mutable || local.ty.is_struct() && local.len.is_some() {
            mistakes.push(Diagnostic::new(local.span, format!("`{}` cannot be {}", local.name, local.ty.rust_name())));
        }
        check_fields(local.ty, local.span, mistakes);
        tiles::check_size(local.ty, local.span, mistakes);
    }
    if let Some(ret) = ret.filter(|ret| ret.is_tile()) {
        mistakes.push(Diagnostic::new(Span::NONE, format!("no function returns {}", ret.rust_name())));
    }
    ret.into_iter().for_each(|ret| check_fields(ret, Span::NONE, mistakes));
}

/// Checks the fields of a struct, and of structs in it.
fn check_fields(ty: Type, span: Span, mistakes: &mut Vec<Diagnostic>) {
    if !ty.is_struct() {
        return;
    }
    let fields = ty.fields();
    if fields.is_empty()
        || fields.len() > Struct::MOST_FIELDS
        || fields.iter().any(|field| field.ty.is_tuple() || field.ty.is_tile())
    {
        mistakes.push(Diagnostic::new(span, format!("{} has fields that no struct can have", ty.rust_name())));
    }
    fields.iter().for_each(|field| check_fields(field.ty, span, mistakes));
}

/// Checks that `stmt` itself uses tuples as results of functions only.
pub(super) fn check_tuples(stmt: &Stmt, mistakes: &mut Vec<Diagnostic>) {
    let is_own = |expr: &Expr| match &stmt.kind {
        StmtKind::Let { init: Some(init), .. } => std::ptr::eq(init, expr) && matches!(init.kind, ExprKind::Call(..)),
        StmtKind::Return(Some(result)) => std::ptr::eq(result, expr) && matches!(result.kind, ExprKind::Struct(_)),
        StmtKind::Let { init: None, .. }
        | StmtKind::Assign { .. }
        | StmtKind::Update { .. }
        | StmtKind::Atomic { .. }
        | StmtKind::If { .. }
        | StmtKind::For { .. }
        | StmtKind::While { .. }
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return(None)
        | StmtKind::Print(_) => false,
    };
    for expr in stmt.exprs() {
        check_expr(expr, is_own(expr), mistakes);
    }
}

fn check_expr(expr: &Expr, may_be_tuple: bool, mistakes: &mut Vec<Diagnostic>) {
    if expr.ty.is_tuple() && !may_be_tuple {
        mistakes.push(Diagnostic::new(expr.span, format!("{} is not a value", expr.ty.rust_name())));
    }
    let is_base = matches!(expr.kind, ExprKind::Field(..));
    for child in expr.children() {
        check_expr(child, is_base && matches!(child.kind, ExprKind::Local(_)), mistakes);
    }
}
