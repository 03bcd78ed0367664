//! Code of functions in the place of their calls, and the arrays and parts of arrays that the calls pass.

use super::super::hir;
use super::Lower;
use crate::ir::{Expr, ExprKind, LocalId, Span, StmtKind, Type};
use crate::rewrite::inline;
use crate::rewrite::views::{View, ViewRoot};

impl Lower<'_> {
    /// Lowers a call by the code of its function. Returns the result, if there is one.
    pub(super) fn insert(&mut self, expr: &hir::Expr) -> Option<Expr> {
        let hir::ExprKind::Insert { code, arrays, args } = &expr.kind else { return None };
        let args: Vec<&hir::Expr> = args.iter().collect();
        let args = self.operands(&args);
        let arrays: Vec<View> = arrays.iter().map(|view| self.view(view, expr.span)).collect();
        self.inserts = true;
        inline::insert(code.code().clone(), code.ret(), &arrays, args, &mut self.locals, &mut self.out)
    }

    /// Declares an index of a view, unless its value has a name that cannot change.
    pub(super) fn let_index(&mut self, local: LocalId, init: &hir::Expr, span: Span) {
        let value = self.expr(init);
        let may_change = matches!(value.kind, ExprKind::Local(other) if self.locals[other.0 as usize].mutable);
        let is_fixed = inline::is_name(&value) && !may_change;
        match is_fixed {
            true => {
                self.names.insert(local, value);
            }
            false => self.push(StmtKind::Let { local, init: Some(value) }, span),
        }
    }

    fn view(&self, view: &hir::View, span: Span) -> View {
        let name = |local: LocalId| match self.names.get(local) {
            Some(name) => name.clone(),
            None => Expr { kind: ExprKind::Local(local), ty: Type::INDEX, span },
        };
        let root = match view.root {
            hir::ViewRoot::Array(array) => ViewRoot::Array(array),
            hir::ViewRoot::LocalArray(local) => {
                ViewRoot::LocalArray(local, self.locals[local.0 as usize].len.unwrap_or_default())
            }
            hir::ViewRoot::Variable(local) => ViewRoot::Variable(local),
        };
        let index = view.index.iter().copied().map(name).collect();
        View { root, index, start: view.start.map(name), len: view.len.map(name) }
    }
}
