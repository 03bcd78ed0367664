//! Parts of arrays: rows, `m.row(i)`, and ranges, `&x[a..b]`. A part has a name, or a device function takes it.
//!
//! A part is an array with indices that are evaluated where the part is made. An access to the part is an access to the
//! array, so nothing behind name resolution knows parts.

use super::super::hir::{self, Origin, View, ViewRoot};
use super::super::infer::About;
use super::super::signature::ParamKind;
use super::super::syntax::{axes, plain_name, ungrouped};
use super::{Binding, Borrowed, Part, Resolver};
use crate::diag::Diagnostic;
use crate::ir::{LocalId, Span, Type};
use crate::ops::Syntax;

impl Resolver<'_> {
    /// The part of an array that `expr` names: its number in [`Resolver::parts`].
    pub(super) fn named_part(&self, expr: &syn::Expr) -> Option<usize> {
        let syn::Expr::Path(path) = ungrouped(expr) else { return None };
        match self.lookup(&plain_name(path.path.get_ident()?))? {
            Binding::Part(number) => Some(number),
            Binding::Local(_)
            | Binding::Value(_)
            | Binding::Array(_)
            | Binding::Optional(_)
            | Binding::Tuple(_)
            | Binding::Block
            | Binding::TileIndex(..) => None,
        }
    }

    /// Whether an expression names an array, a local array or a part of one.
    fn names_array(&self, expr: &syn::Expr) -> bool {
        self.named_array(expr).is_some() || self.named_local_array(expr).is_some() || self.named_part(expr).is_some()
    }

    /// Whether an expression is an array or a part of one, behind any borrows.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "syn's enums are open: what is not listed is refused, or left as it is"
    )]
    pub(super) fn is_array(&self, expr: &syn::Expr) -> bool {
        match ungrouped(expr) {
            syn::Expr::Reference(reference) => self.is_array(&reference.expr),
            syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Deref(_), expr, .. }) => self.is_array(expr),
            other => self.names_array(other) || self.is_part(other),
        }
    }

    /// Whether an expression is a row, or a range of an array.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "syn's enums are open: what is not listed is refused, or left as it is"
    )]
    fn is_part(&self, expr: &syn::Expr) -> bool {
        match ungrouped(expr) {
            syn::Expr::Index(index) => {
                matches!(ungrouped(&index.index), syn::Expr::Range(_)) && self.is_array(&index.expr)
            }
            syn::Expr::MethodCall(call) => {
                (call.method == "row" || call.method == "row_mut") && self.is_array(&call.receiver)
            }
            _ => false,
        }
    }

    /// Whether an expression borrows a part of an array: `&x[a..b]` or `m.row(i)`.
    pub(super) fn borrows_part(&self, expr: &syn::Expr) -> bool {
        if let syn::Expr::Reference(reference) = ungrouped(expr) {
            return self.is_part(&reference.expr);
        }
        matches!(ungrouped(expr), syn::Expr::MethodCall(_)) && self.is_part(expr)
    }

    /// Reports a part of an array where a value is needed.
    pub(super) fn part_as_value(&mut self, expr: &syn::Expr) -> hir::Expr {
        let span = self.span(expr);
        self.error(
            Diagnostic::new(span, "a part of an array is not a value")
                .note("device functions take parts of arrays, and `let` gives them names")
                .help("give it a name: `let r = m.row(i);` or `let s = &x[a..b];`, and read `r[k]` and `r.len()`"),
        )
    }

    /// `let r = m.row(i);` or `let s = &mut y[a..b];`
    pub(super) fn let_part(&mut self, ident: &syn::PatIdent, init: &syn::Expr, stmts: &mut Vec<hir::Stmt>) {
        let (name, span) = (plain_name(&ident.ident), self.span(&ident.ident));
        if ident.mutability.is_some() {
            let diagnostic = Diagnostic::new(span, format!("the name `{name}` of a part of an array cannot be `mut`"));
            self.report(diagnostic.help("remove `mut`; `row_mut` and `&mut x[a..b]` are parts that can be changed"));
        }
        let Some(borrowed) = self.borrow(init, &name, stmts) else {
            return self.bind_broken(&syn::Pat::Ident(ident.clone()));
        };
        self.lends |= self.may_be_lent(&borrowed.view);
        self.bind(name.clone(), Binding::Part(self.parts.len()));
        self.parts.push(Part { name, borrowed, span });
    }

    /// Whether a part in the author's body is one of a slice that one core alone can have.
    pub(super) fn may_be_lent(&self, view: &View) -> bool {
        let ViewRoot::Array(array) = view.root else { return false };
        matches!(self.param(array).kind, ParamKind::Array { mutable: true, .. })
    }

    /// Resolves a borrowed array, or a borrowed part of one. Its indices become locals, which are called after `name` and
    /// declared by statements that go to `stmts`. `None` if there is a mistake, which is reported.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "syn's enums are open: what is not listed is refused, or left as it is"
    )]
    pub(super) fn borrow(&mut self, expr: &syn::Expr, name: &str, stmts: &mut Vec<hir::Stmt>) -> Option<Borrowed> {
        match ungrouped(expr) {
            syn::Expr::Reference(reference) => {
                let borrowed = self.array(&reference.expr, name, stmts)?;
                let mutable = reference.mutability.is_some();
                if mutable && !borrowed.mutable {
                    self.not_mutable(&borrowed.view, &reference.expr);
                    return None;
                }
                Some(Borrowed { mutable, ..borrowed })
            }
            other => self.array(other, name, stmts),
        }
    }

    /// As [`Resolver::borrow`], for what stands behind `&`.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "syn's enums are open: what is not listed is refused, or left as it is"
    )]
    fn array(&mut self, expr: &syn::Expr, name: &str, stmts: &mut Vec<hir::Stmt>) -> Option<Borrowed> {
        let expr = ungrouped(expr);
        if let Some((array, _)) = self.named_array(expr) {
            let view = View::whole(ViewRoot::Array(array));
            return Some(Borrowed { mutable: self.may_be_lent(&view), view });
        }
        if let Some(local) = self.named_local_array(expr) {
            let mutable = self.locals[local.0 as usize].mutable;
            return Some(Borrowed { view: View::whole(ViewRoot::LocalArray(local)), mutable });
        }
        if let Some(number) = self.named_part(expr) {
            return Some(self.parts[number].borrowed.clone());
        }
        match expr {
            syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Deref(_), expr, .. }) => self.borrow(expr, name, stmts),
            syn::Expr::Reference(_) => self.borrow(expr, name, stmts),
            syn::Expr::MethodCall(call) => self.row(call, name, stmts),
            syn::Expr::Index(index) => {
                let borrowed = self.borrow(&index.expr, name, stmts)?;
                let syn::Expr::Range(range) = ungrouped(&index.index) else { return None };
                Some(Borrowed { view: self.range_of(borrowed.view, range, name, stmts)?, ..borrowed })
            }
            _ => None,
        }
    }

    /// `m.row(i)` or `m.row_mut(i)`.
    fn row(&mut self, call: &syn::ExprMethodCall, name: &str, stmts: &mut Vec<hir::Stmt>) -> Option<Borrowed> {
        let span = self.span(call);
        let borrowed = self.borrow(&call.receiver, name, stmts)?;
        let (rank, mutable) = (self.rank(&borrowed.view), call.method == "row_mut");
        if rank < 2 {
            let diagnostic = Diagnostic::new(span, format!("an array with {} has no rows", axes(rank)));
            self.report(diagnostic.help("take a range: `&x[a..b]`"));
            return None;
        }
        if call.args.len() + 1 != rank {
            self.wrong_arity(&plain_name(&call.method), rank - 1, call.args.len(), span);
            return None;
        }
        if mutable && !borrowed.mutable {
            self.not_mutable(&borrowed.view, &call.receiver);
            return None;
        }
        let mut view = borrowed.view;
        for index in &call.args {
            let index = self.expr(index);
            let found = self.value(&index);
            self.index_type(found, index.span);
            view.index.push(self.index_local(format!("{name}_row"), index, stmts));
        }
        Some(Borrowed { view, mutable })
    }

    /// The range of a view with one axis.
    fn range_of(&mut self, view: View, range: &syn::ExprRange, name: &str, stmts: &mut Vec<hir::Stmt>) -> Option<View> {
        let span = self.span(range);
        if self.rank(&view) != 1 {
            let diagnostic = Diagnostic::new(span, format!("an array with {} has no ranges", axes(self.rank(&view))));
            self.report(diagnostic.help("take a range of a row: `&m.row(i)[a..b]`"));
            return None;
        }
        let end_of = |this: &mut Self, end: &Option<Box<syn::Expr>>| {
            let end = this.expr(end.as_deref()?);
            let found = this.value(&end);
            this.index_type(found, end.span);
            Some(end)
        };
        let from = end_of(self, &range.start).filter(|start| !matches!(start.kind, hir::ExprKind::Int(0)));
        let from = from.map(|from| self.index_local(format!("{name}_from"), from, stmts));
        let end = end_of(self, &range.end).map(|end| match &range.limits {
            syn::RangeLimits::HalfOpen(_) => end,
            syn::RangeLimits::Closed(_) => self.plus_one(end),
        });
        // The end may be the extent, and not more.
        let (end, checked) = match (end, from) {
            (None, None) => return Some(view),
            (None, Some(_)) => (self.extent_of(&view, 0, span), self.extent_of(&view, 0, span)),
            (Some(end), _) => {
                let end = self.index_local(format!("{name}_end"), end, stmts);
                let extent = self.extent_of(&view, 0, span);
                let operands = vec![self.index_value(end, span), self.plus_one(extent)];
                (self.index_value(end, span), self.index_op(Syntax::Method("index_below"), operands, span))
            }
        };
        let Some(from) = from else {
            let len = Some(self.index_local(format!("{name}_len"), checked, stmts));
            return Some(View { len, ..view });
        };
        // So may the start be the end.
        let operands = vec![self.index_value(from, span), self.plus_one(end)];
        let difference = vec![checked, self.index_op(Syntax::Method("index_below"), operands, span)];
        let len = self.index_op(Syntax::Infix("-"), difference, span);
        let len = Some(self.index_local(format!("{name}_len"), len, stmts));
        let start = match view.start {
            Some(outer) => {
                let sum = vec![self.index_value(outer, span), self.index_value(from, span)];
                let sum = self.index_op(Syntax::Infix("+"), sum, span);
                self.index_local(format!("{name}_start"), sum, stmts)
            }
            None => from,
        };
        Some(View { start: Some(start), len, ..view })
    }

    fn plus_one(&mut self, index: hir::Expr) -> hir::Expr {
        let span = index.span;
        if let hir::ExprKind::Int(number) = index.kind {
            return self.index_number(number + 1, span);
        }
        let one = self.index_number(1, span);
        self.index_op(Syntax::Infix("+"), vec![index, one], span)
    }

    /// Reports that an array behind `&mut` cannot be changed.
    pub(super) fn not_mutable(&mut self, view: &View, at: &syn::Expr) {
        let span = self.span(at);
        let diagnostic = match view.root {
            ViewRoot::Array(array) => {
                let param = self.param(array);
                let diagnostic = Diagnostic::new(span, format!("the array `{}` is read only", param.name));
                match self.may_be_lent(view) {
                    true => diagnostic.help("take the part by `row_mut` or `&mut`"),
                    false => {
                        let help = format!("declare `{}` with `&mut`", param.name);
                        diagnostic.related(param.span, "declared here").help(help)
                    }
                }
            }
            ViewRoot::LocalArray(local) | ViewRoot::Variable(local) => {
                let local = &self.locals[local.0 as usize];
                Diagnostic::new(span, format!("the elements of `{}` cannot be assigned", local.name))
                    .related(local.span, "declared here")
                    .help(format!("declare it with `let mut {}`", local.name))
            }
        };
        self.report(diagnostic);
    }

    /// The number of axes of a view.
    pub(super) fn rank(&self, view: &View) -> usize {
        let of_root = match view.root {
            ViewRoot::Array(array) => match self.param(array).kind {
                ParamKind::Array { rank, .. } => rank.into(),
                ParamKind::Value(_) => 0,
            },
            ViewRoot::LocalArray(_) => 1,
            ViewRoot::Variable(_) => 0,
        };
        of_root - view.index.len().min(of_root)
    }

    /// The extent of a view along an axis.
    pub(super) fn extent_of(&mut self, view: &View, axis: u8, span: Span) -> hir::Expr {
        if let Some(len) = view.len {
            return self.index_value(len, span);
        }
        let kind = match view.root {
            ViewRoot::Array(array) => match self.param(array).kind {
                ParamKind::Array { len: Some(len), .. } => hir::ExprKind::Int(len.into()),
                ParamKind::Array { .. } | ParamKind::Value(_) => {
                    hir::ExprKind::Extent { array, axis: axis + view.index.len() as u8 }
                }
            },
            ViewRoot::LocalArray(local) => hir::ExprKind::Int(self.length_of(local).unwrap_or_default().into()),
            ViewRoot::Variable(_) => hir::ExprKind::Int(1),
        };
        hir::Expr { kind, ty: Some(self.infer.known(Type::INDEX)), span }
    }

    /// The element of a view at these indices.
    pub(super) fn element_of(&mut self, view: &View, mut positions: Vec<hir::Expr>, span: Span) -> hir::Expr {
        if let Some(len) = view.len
            && let Some(position) = positions.pop()
        {
            let len = self.index_value(len, span);
            let mut position = self.index_op(Syntax::Method("index_below"), vec![position, len], span);
            if let Some(start) = view.start {
                let start = self.index_value(start, span);
                position = self.index_op(Syntax::Infix("+"), vec![start, position], span);
            }
            positions.push(position);
        }
        let mut index: Vec<hir::Expr> = Vec::new();
        for local in &view.index {
            index.push(self.index_value(*local, span));
        }
        index.append(&mut positions);
        let (kind, ty) = match view.root {
            ViewRoot::Array(array) => {
                let ty = match self.param(array).kind {
                    ParamKind::Array { elem: Some(elem), .. } => self.infer.known(elem),
                    ParamKind::Value(_) | ParamKind::Array { .. } => self.infer.broken(),
                };
                (hir::ExprKind::Element { array, index }, ty)
            }
            ViewRoot::LocalArray(local) => {
                let ty = self.locals[local.0 as usize].ty;
                let index = index.pop().unwrap_or_else(|| self.index_number(0, span));
                (hir::ExprKind::LocalElement { local, index: Box::new(index) }, ty)
            }
            ViewRoot::Variable(local) => (hir::ExprKind::Local(local), self.locals[local.0 as usize].ty),
        };
        hir::Expr { kind, ty: Some(ty), span }
    }

    /// `r[k]`, where `r` is the name of a part.
    pub(super) fn part_element(&mut self, number: usize, index: &syn::Expr, span: Span) -> hir::Expr {
        let part = self.parts[number].clone();
        let rank = self.rank(&part.borrowed.view) as u8;
        match self.positions(&part.name, rank, index) {
            Ok(positions) => self.element_of(&part.borrowed.view, positions, span),
            Err(error) => error,
        }
    }

    /// `r.len()`, where `r` is the name of a part.
    pub(super) fn part_method(&mut self, number: usize, call: &syn::ExprMethodCall, span: Span) -> hir::Expr {
        let part = self.parts[number].clone();
        if call.method == "len" && call.args.is_empty() && self.rank(&part.borrowed.view) == 1 {
            return self.extent_of(&part.borrowed.view, 0, span);
        }
        let (at, name) = (self.span(&call.method), &part.name);
        self.error(
            Diagnostic::new(at, format!("parts of arrays have no method `{}` in the kernel language", call.method))
                .help(format!("a part has `{name}.len()` and elements `{name}[k]`")),
        )
    }

    /// Reports an assignment to an element of a part that is borrowed by `&`. Returns whether there is a mistake.
    pub(super) fn check_part_assignable(&mut self, number: usize, at: &syn::Expr) {
        let part = &self.parts[number];
        if part.borrowed.mutable {
            return;
        }
        let diagnostic = Diagnostic::new(Span::NONE, format!("the part `{}` is read only", part.name))
            .related(part.span, "defined here")
            .help("take it by `row_mut` or `&mut`");
        let span = self.span(at);
        self.report(Diagnostic { span, ..diagnostic });
    }

    /// Declares an index of a view.
    pub(super) fn index_local(&mut self, name: String, init: hir::Expr, stmts: &mut Vec<hir::Stmt>) -> LocalId {
        let (ty, span) = (self.infer.known(Type::INDEX), init.span);
        let local = self.new_local(name, ty, false, Origin::Value, span);
        stmts.push(hir::Stmt { kind: hir::StmtKind::LetIndex { local, init }, span });
        local
    }

    pub(super) fn index_value(&mut self, local: LocalId, span: Span) -> hir::Expr {
        hir::Expr { kind: hir::ExprKind::Local(local), ty: Some(self.infer.known(Type::INDEX)), span }
    }

    fn index_number(&mut self, number: i128, span: Span) -> hir::Expr {
        hir::Expr { kind: hir::ExprKind::Int(number), ty: Some(self.infer.known(Type::INDEX)), span }
    }

    /// An operation on indices.
    fn index_op(&mut self, syntax: Syntax, operands: Vec<hir::Expr>, span: Span) -> hir::Expr {
        let ty = self.infer.known(Type::INDEX);
        let operands = operands.into_iter().map(|operand| (operand, ty)).collect();
        self.op_giving(ty, syntax, About::Index, operands, span)
    }
}
