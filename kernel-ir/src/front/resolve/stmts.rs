//! Blocks and `let`.

use super::super::signature::plain_name;
use super::super::{hir, types};
use super::{Binding, Resolver};
use crate::diag::Diagnostic;
use crate::ir::{LocalId, Type};
use std::collections::HashMap;

impl Resolver<'_> {
    pub(super) fn block(&mut self, block: &syn::Block) -> hir::Block {
        self.scopes.push(HashMap::new());
        let mut stmts = Vec::new();
        let mut tail = None;
        for (position, stmt) in block.stmts.iter().enumerate() {
            let last = position + 1 == block.stmts.len();
            match stmt {
                syn::Stmt::Local(local) => self.let_stmt(local, &mut stmts),
                syn::Stmt::Item(item) => self.item(item, &mut stmts),
                syn::Stmt::Macro(stmt) => {
                    let span = self.span(stmt);
                    let error = self.macro_call(&stmt.mac, span);
                    stmts.push(hir::Stmt { kind: hir::StmtKind::Expr(error), span });
                }
                syn::Stmt::Expr(expr, None) if last => tail = Some(Box::new(self.expr(expr))),
                syn::Stmt::Expr(expr, _) => {
                    let expr = self.expr(expr);
                    let span = expr.span;
                    stmts.push(hir::Stmt { kind: hir::StmtKind::Expr(expr), span });
                }
            }
        }
        self.scopes.pop();
        hir::Block { stmts, tail }
    }

    fn let_stmt(&mut self, stmt: &syn::Local, stmts: &mut Vec<hir::Stmt>) {
        let span = self.span(stmt);
        if let Some((_, diverge)) = stmt.init.as_ref().and_then(|init| init.diverge.as_ref()) {
            let span = self.span(diverge);
            self.report(
                Diagnostic::new(span, "`let … else` is not in the kernel language").help("write an `if` with `return`"),
            );
        }
        let init = stmt.init.as_ref().map(|init| &*init.expr);
        let (pat, annotation) = match &stmt.pat {
            syn::Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            pat => (pat, None),
        };
        match pat {
            syn::Pat::Tuple(tuple) => self.let_thread_index(tuple, init, stmts),
            syn::Pat::Wild(_) => {
                if let Some(init) = init {
                    let value = self.expr(init);
                    stmts.push(hir::Stmt { kind: hir::StmtKind::Expr(value), span });
                }
            }
            syn::Pat::Ident(ident) if ident.by_ref.is_none() && ident.subpat.is_none() => {
                let init = init.map(|init| self.expr(init));
                let name_span = self.span(&ident.ident);
                let ty = match annotation {
                    Some(ty) => match types::read(ty, self.spans, self.diagnostics) {
                        Some(ty) => self.infer.known(ty),
                        None => self.infer.broken(),
                    },
                    None => self.infer.any(),
                };
                if let Some(init) = &init {
                    let found = self.value(init);
                    self.equate(ty, found, init.span);
                }
                let name = plain_name(&ident.ident);
                let local = self.new_local(name.clone(), ty, ident.mutability.is_some(), name_span);
                self.bind(name, Binding::Local(local));
                if init.is_none() {
                    self.late.insert(local);
                }
                stmts.push(hir::Stmt { kind: hir::StmtKind::Let { local, init }, span });
            }
            _ => {
                let span = self.span(pat);
                self.report(
                    Diagnostic::new(span, "`let` binds one plain name")
                        .help("write one `let` for each value; only `let (i, j) = tid2();` binds several"),
                );
            }
        }
    }

    /// `let (i, j) = tid2();`
    fn let_thread_index(&mut self, tuple: &syn::PatTuple, init: Option<&syn::Expr>, stmts: &mut Vec<hir::Stmt>) {
        let span = self.span(tuple);
        let called = init.and_then(Self::called_name);
        let dim = match called.as_deref() {
            Some("tid2") => 2,
            Some("tid3") => 3,
            Some("tid4") => 4,
            _ => {
                self.report(
                    Diagnostic::new(span, "tuples are not in the kernel language")
                        .help("write one `let` for each value; only `let (i, j) = tid2();` binds several"),
                );
                for element in &tuple.elems {
                    if let syn::Pat::Ident(ident) = element {
                        let ty = self.infer.broken();
                        self.bind_index(ident, ty);
                    }
                }
                return;
            }
        };
        self.launch_axes(dim, span);
        if tuple.elems.len() != usize::from(dim) {
            self.report(
                Diagnostic::new(span, format!("`tid{dim}()` gives {dim} indices, and {} are bound", tuple.elems.len()))
                    .help("bind one name for each launch axis, `_` for those that you do not need"),
            );
        }
        for (axis, element) in (0..dim).zip(&tuple.elems) {
            match element {
                syn::Pat::Wild(_) => {}
                syn::Pat::Ident(ident) if ident.by_ref.is_none() && ident.subpat.is_none() => {
                    let ty = self.infer.known(Type::INDEX);
                    let local = self.bind_index(ident, ty);
                    let span = self.span(ident);
                    let init = hir::Expr { kind: hir::ExprKind::Tid(axis), ty: Some(ty), span };
                    stmts.push(hir::Stmt { kind: hir::StmtKind::Let { local, init: Some(init) }, span });
                }
                _ => {
                    let span = self.span(element);
                    self.report(Diagnostic::new(span, "a thread index is bound to a plain name").help("write `i`"));
                }
            }
        }
    }

    fn bind_index(&mut self, ident: &syn::PatIdent, ty: super::TypeVar) -> LocalId {
        let span = self.span(&ident.ident);
        let name = plain_name(&ident.ident);
        let local = self.new_local(name.clone(), ty, ident.mutability.is_some(), span);
        self.bind(name, Binding::Local(local));
        local
    }

    /// A `const` in the body is an immutable local; there are no other items.
    fn item(&mut self, item: &syn::Item, stmts: &mut Vec<hir::Stmt>) {
        let span = self.span(item);
        let syn::Item::Const(item) = item else {
            self.report(
                Diagnostic::new(span, "only `const` items can stand in a kernel")
                    .help("write the code of a function in place; other items go outside of the kernel"),
            );
            return;
        };
        let ty = match types::read(&item.ty, self.spans, self.diagnostics) {
            Some(ty) => self.infer.known(ty),
            None => self.infer.broken(),
        };
        let init = self.expr(&item.expr);
        let found = self.value(&init);
        self.equate(ty, found, init.span);
        let name = plain_name(&item.ident);
        let local = self.new_local(name.clone(), ty, false, span);
        self.bind(name, Binding::Local(local));
        stmts.push(hir::Stmt { kind: hir::StmtKind::Let { local, init: Some(init) }, span });
    }
}
