//! Resolution of blocks and `let`.

use super::super::syntax::plain_name;
use super::super::{hir, types};
use super::local_arrays::array_type;
use super::{Binding, Resolver};
use crate::diag::Diagnostic;
use crate::ir::{LocalId, Type};
use std::collections::HashMap;

impl Resolver<'_> {
    pub(super) fn block(&mut self, block: &syn::Block) -> hir::Block {
        self.scopes.push(HashMap::new());
        let mut stmts = Vec::new();
        self.consts(&block.stmts, &mut stmts);
        let mut tail = None;
        for (position, stmt) in block.stmts.iter().enumerate() {
            let last = position + 1 == block.stmts.len();
            match stmt {
                syn::Stmt::Local(local) => self.let_stmt(local, &mut stmts),
                syn::Stmt::Item(item) => self.item(item),
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

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "syn's enums are open: what is not listed is refused, or left as it is"
    )]
    fn let_stmt(&mut self, stmt: &syn::Local, stmts: &mut Vec<hir::Stmt>) {
        let span = self.span(stmt);
        if let Some(syn::LocalInit { expr, diverge: Some((_, diverge)), .. }) = &stmt.init {
            return self.let_else(&stmt.pat, expr, diverge, span, stmts);
        }
        let init = stmt.init.as_ref().map(|init| &*init.expr);
        let (pat, annotation) = match &stmt.pat {
            syn::Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            pat => (pat, None),
        };
        match pat {
            syn::Pat::Tuple(tuple) => match init.and_then(Self::called_name).as_deref() {
                Some("tid2" | "tid3" | "tid4") => self.let_thread_index(tuple, init, stmts),
                _ => self.let_tuple(tuple, annotation, init, stmts),
            },
            syn::Pat::Struct(fields) => self.let_struct(fields, init, stmts),
            syn::Pat::Wild(_) => {
                if let Some(init) = init {
                    let value = self.expr(init);
                    stmts.push(hir::Stmt { kind: hir::StmtKind::Expr(value), span });
                }
            }
            syn::Pat::Ident(ident)
                if ident.by_ref.is_none()
                    && ident.subpat.is_none()
                    && init.is_some_and(|init| self.borrows_part(init)) =>
            {
                init.into_iter().for_each(|init| self.let_part(ident, init, stmts));
            }
            syn::Pat::Ident(ident) if init.is_some_and(Self::is_block) => {
                init.into_iter().for_each(|init| self.let_block(ident, init));
            }
            syn::Pat::Ident(ident) if init.is_some_and(|init| self.let_of_block(ident, annotation, init, stmts)) => {}
            syn::Pat::Ident(ident) if self.let_tile(ident, annotation, init, stmts, span) => {}
            syn::Pat::Ident(ident)
                if ident.by_ref.is_none()
                    && ident.subpat.is_none()
                    && self.let_array(ident, annotation, init, stmts, span) => {}
            syn::Pat::Ident(ident) if ident.by_ref.is_none() && ident.subpat.is_none() => {
                let init = init.map(|init| self.expr(init));
                let name_span = self.span(&ident.ident);
                let init = match init {
                    Some(init) if let Some(types) = init.ty.and_then(|ty| self.tuples.get(&ty).cloned()) => {
                        let found = self.value(&init);
                        if let Some(ty) =
                            annotation.and_then(|ty| types::read(ty, self.known, self.spans, self.diagnostics))
                        {
                            let wanted = self.known_type(ty);
                            self.equate(wanted, found, init.span);
                        }
                        let (name, mutable) = (plain_name(&ident.ident), ident.mutability.is_some());
                        let locals = self.bind_tuple(&name, mutable, &types, name_span);
                        let locals: Vec<Option<LocalId>> = locals.into_iter().map(Some).collect();
                        self.set_shapes(&locals, &init);
                        return stmts.push(hir::Stmt { kind: hir::StmtKind::LetTuple { locals, init }, span });
                    }
                    init => init,
                };
                // An initial value with a mistake, such as `Vec::new()`, has been reported. The annotation `Vec<f32>`
                // would report the same mistake again.
                let refused = matches!(&init, Some(hir::Expr { kind: hir::ExprKind::Error, .. }));
                let ty = match annotation.filter(|ty| !refused && !matches!(ty, syn::Type::Infer(_))) {
                    Some(ty) => match types::read(ty, self.known, self.spans, self.diagnostics) {
                        Some(ty) => self.infer.known(ty),
                        None => self.infer.broken(),
                    },
                    None => self.infer.any(),
                };
                if let Some(init) = &init {
                    let found = self.value(init);
                    self.equate(ty, found, init.span);
                }
                let tile = init.as_ref().and_then(|init| self.shape_of(init));
                let name = plain_name(&ident.ident);
                let origin = if init.is_some() { hir::Origin::Value } else { hir::Origin::Late };
                let local = self.new_local(name.clone(), ty, ident.mutability.is_some(), origin, name_span);
                self.locals[local.0 as usize].tile = tile;
                self.bind(name, Binding::Local(local));
                stmts.push(hir::Stmt { kind: hir::StmtKind::Let { local, init }, span });
            }
            _ => {
                let span = self.span(pat);
                let help = match pat {
                    syn::Pat::Slice(_) => "write one `let` for each value, such as `let n = x.shape()[0];`",
                    _ => "write one `let` for each value, or `let (a, b) = …`",
                };
                self.report(Diagnostic::new(span, "`let` must bind plain names").help(help));
                self.bind_broken(pat);
            }
        }
    }

    /// Binds the names of a refused pattern to broken types, so that their uses are not reported.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "syn's enums are open: what is not listed is refused, or left as it is"
    )]
    pub(super) fn bind_broken(&mut self, pat: &syn::Pat) {
        match pat {
            syn::Pat::Ident(ident) => {
                let ty = self.infer.broken();
                self.bind_index(ident, ty);
            }
            syn::Pat::Type(typed) => self.bind_broken(&typed.pat),
            syn::Pat::Paren(inner) => self.bind_broken(&inner.pat),
            syn::Pat::Reference(inner) => self.bind_broken(&inner.pat),
            syn::Pat::Tuple(tuple) => tuple.elems.iter().for_each(|part| self.bind_broken(part)),
            syn::Pat::Slice(slice) => slice.elems.iter().for_each(|part| self.bind_broken(part)),
            syn::Pat::TupleStruct(tuple) => tuple.elems.iter().for_each(|part| self.bind_broken(part)),
            syn::Pat::Struct(fields) => fields.fields.iter().for_each(|field| self.bind_broken(&field.pat)),
            _ => {}
        }
    }

    /// `let (i, j) = tid2();` and the like: one local for each thread index.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "syn's enums are open: what is not listed is refused, or left as it is"
    )]
    fn let_thread_index(&mut self, tuple: &syn::PatTuple, init: Option<&syn::Expr>, stmts: &mut Vec<hir::Stmt>) {
        let span = self.span(tuple);
        let called = init.and_then(Self::called_name);
        let dim = match called.as_deref() {
            Some("tid2") => 2,
            Some("tid3") => 3,
            Some("tid4") => 4,
            _ => return,
        };
        self.launch_axes(dim, span);
        if tuple.elems.len() != usize::from(dim) {
            self.report(
                Diagnostic::new(
                    span,
                    format!("`tid{dim}()` gives {dim} indices, but {} names are bound", tuple.elems.len()),
                )
                .help("bind one name for each launch axis; write `_` for an index that you do not need"),
            );
            return tuple.elems.iter().for_each(|element| self.bind_broken(element));
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
                    self.report(
                        Diagnostic::new(span, "a thread index must be bound to a plain name")
                            .help("write a name, or `_`"),
                    );
                }
            }
        }
    }

    pub(super) fn bind_index(&mut self, ident: &syn::PatIdent, ty: super::TypeVar) -> LocalId {
        let span = self.span(&ident.ident);
        let name = plain_name(&ident.ident);
        let local = self.new_local(name.clone(), ty, ident.mutability.is_some(), hir::Origin::Value, span);
        self.bind(name, Binding::Local(local));
        local
    }

    /// Resolves the constants of a block. They become immutable locals at the start of the block, because Rust allows
    /// statements to name a constant that is defined below them.
    fn consts(&mut self, block: &[syn::Stmt], stmts: &mut Vec<hir::Stmt>) {
        let mut items = Vec::new();
        for stmt in block {
            let syn::Stmt::Item(syn::Item::Const(item)) = stmt else { continue };
            let span = self.span(&item.ident);
            let array = array_type(&item.ty);
            let ty = match array {
                Some(array) => self.element_type(array),
                None => match types::read(&item.ty, self.known, self.spans, self.diagnostics) {
                    Some(ty) => self.infer.known(ty),
                    None => self.infer.broken(),
                },
            };
            let name = plain_name(&item.ident);
            let local = self.new_local(name.clone(), ty, false, hir::Origin::Const, span);
            // The length may be a constant of this block, so it is evaluated below, like the values.
            self.locals[local.0 as usize].len = array.map(|_| 1);
            self.bind(name, Binding::Local(local));
            self.unset_consts.insert(local);
            items.push((item, local, ty, span));
        }
        for (item, local, ty, span) in items {
            if let Some(array) = array_type(&item.ty) {
                let init = self.const_array(local, array, &item.expr);
                self.unset_consts.remove(&local);
                let declare = |init| hir::Stmt { kind: hir::StmtKind::LetArray { local, init }, span };
                stmts.extend(init.map(declare));
                continue;
            }
            if let Some(number) = self.constant_integer(&item.expr) {
                self.constant_integers.insert(local, number);
            }
            let init = self.expr(&item.expr);
            let found = self.value(&init);
            self.equate(ty, found, init.span);
            self.unset_consts.remove(&local);
            stmts.push(hir::Stmt { kind: hir::StmtKind::Let { local, init: Some(init) }, span });
        }
    }

    /// Reports items other than constants.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "syn's enums are open: what is not listed is refused, or left as it is"
    )]
    fn item(&mut self, item: &syn::Item) {
        if let syn::Item::Const(_) = item {
            return;
        }
        let span = self.span(item);
        let help = match item {
            syn::Item::Fn(_) => "write the code in place, or the function outside of the kernel with `#[device]`",
            syn::Item::Use(_) => "write the whole path, for example `std::f32::consts::PI`",
            syn::Item::Static(_) => "write `const` instead of `static`",
            _ => "define it outside of the kernel",
        };
        self.report(Diagnostic::new(span, "only `const` items are allowed in a kernel").help(help));
    }
}
