//! Checks that every number in the body refers to a parameter, local or axis that exists.

use crate::diag::Diagnostic;
use crate::ir::{Expr, ExprKind, Kernel, Local, LocalId, ParamId, ParamKind, PlaceRoot, Span, Stmt, StmtKind};

/// The state of the check.
pub(super) struct Numbers<'a> {
    kernel: &'a Kernel,
    pub(super) mistakes: Vec<Diagnostic>,
    /// Whether the body calls a function.
    pub(super) calls: bool,
    /// The extents that the body reads, without duplicates. A vector suffices because there are few.
    pub(super) extents: Vec<(ParamId, u8)>,
}

impl<'a> Numbers<'a> {
    pub(super) fn new(kernel: &'a Kernel) -> Numbers<'a> {
        Numbers { kernel, mistakes: Vec::new(), calls: false, extents: Vec::new() }
    }

    /// Checks the numbers in `expr` itself, without its operands; returns whether all are valid.
    pub(super) fn check_expr(&mut self, expr: &Expr) -> bool {
        let before = self.mistakes.len();
        self.expr(expr);
        self.mistakes.len() == before
    }

    /// Checks the numbers in `stmt` outside of its expressions; returns whether all are valid.
    pub(super) fn check_stmt(&mut self, stmt: &Stmt) -> bool {
        let before = self.mistakes.len();
        self.stmt(stmt);
        self.mistakes.len() == before
    }

    /// A separate cold function, because the checks run often and fail rarely.
    #[cold]
    fn report(&mut self, span: Span, message: impl FnOnce() -> String) {
        self.mistakes.push(Diagnostic::new(span, message()));
    }

    fn expr(&mut self, expr: &Expr) {
        match expr.kind {
            ExprKind::Local(local) => self.single(local, expr.span),
            ExprKind::LocalElement { local, .. } => self.slots(local, expr.span),
            ExprKind::Param(param) => self.value(param, expr.span),
            ExprKind::Load { array, .. } => {
                self.array(array, expr.span);
            }
            ExprKind::Extent { array, axis } => {
                self.read(&[(array, axis)]);
                if let Some(rank) = self.array(array, expr.span)
                    && usize::from(axis) >= rank
                {
                    let name = &self.kernel.param(array).name;
                    self.report(expr.span, || format!("`{name}` has {rank} axes; there is no axis {axis}"));
                }
            }
            ExprKind::Present(array) => {
                if self.array(array, expr.span).is_some() && !self.kernel.param(array).is_optional() {
                    let name = &self.kernel.param(array).name;
                    self.report(expr.span, || format!("the array `{name}` is always present"));
                }
            }
            ExprKind::Call(ref callee, _) => {
                self.calls = true;
                let are_arrays = callee.arrays.iter().all(|array| self.array(*array, expr.span).is_some());
                if are_arrays {
                    self.read(&expr.extents_read());
                }
            }
            ExprKind::Tid(axis) if axis >= self.kernel.dim => {
                let dim = self.kernel.dim;
                self.report(expr.span, || format!("the launch has {dim} axes; there is no axis {axis}"));
            }
            ExprKind::Literal(_)
            | ExprKind::Tid(_)
            | ExprKind::Op(..)
            | ExprKind::Cast(_)
            | ExprKind::Component(..)
            | ExprKind::Column(..)
            | ExprKind::Field(..)
            | ExprKind::Tile(..)
            | ExprKind::Struct(_)
            | ExprKind::Select { .. } => {}
        }
    }

    fn read(&mut self, extents: &[(ParamId, u8)]) {
        for extent in extents {
            if !self.extents.contains(extent) {
                self.extents.push(*extent);
            }
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Let { local, init: None } => {
                self.local(*local, stmt.span);
            }
            StmtKind::Let { local, .. } | StmtKind::For { local, .. } => self.single(*local, stmt.span),
            StmtKind::Assign { place, .. } | StmtKind::Update { place, .. } => self.root(&place.root, place.span),
            StmtKind::Atomic { place, result, .. } => {
                self.root(&place.root, place.span);
                if let Some(local) = result {
                    self.single(*local, stmt.span);
                }
            }
            StmtKind::If { .. }
            | StmtKind::While { .. }
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_)
            | StmtKind::Print(_) => {}
        }
    }

    fn root(&mut self, root: &PlaceRoot, span: Span) {
        match root {
            PlaceRoot::Local(local) => self.single(*local, span),
            PlaceRoot::LocalElement { local, .. } => self.slots(*local, span),
            PlaceRoot::Element { array, .. } => {
                self.array(*array, span);
            }
        }
    }

    fn local(&mut self, local: LocalId, span: Span) -> Option<&'a Local> {
        let count = self.kernel.locals.len();
        if local.0 as usize >= count {
            self.report(span, || format!("there is no variable number {}; there are {count}", local.0));
            return None;
        }
        Some(self.kernel.local(local))
    }

    /// Checks that the local is a single value.
    fn single(&mut self, local: LocalId, span: Span) {
        if let Some(Local { name, len: Some(len), .. }) = self.local(local, span) {
            self.report(span, || format!("`{name}` is an array of {len} values; it needs an index"));
        }
    }

    /// Checks that the local is an array.
    fn slots(&mut self, local: LocalId, span: Span) {
        if let Some(Local { name, len: None, .. }) = self.local(local, span) {
            self.report(span, || format!("`{name}` is a single value; it takes no index"));
        }
    }

    fn param(&mut self, param: ParamId, span: Span) -> Option<&'a ParamKind> {
        let count = self.kernel.params.len();
        if param.0 as usize >= count {
            self.report(span, || format!("there is no parameter number {}; there are {count}", param.0));
            return None;
        }
        Some(&self.kernel.param(param).kind)
    }

    fn value(&mut self, param: ParamId, span: Span) {
        if let Some(ParamKind::Array { .. }) = self.param(param, span) {
            let name = &self.kernel.param(param).name;
            self.report(span, || format!("the array `{name}` is not a value; it needs an index"));
        }
    }

    /// Checks that `param` is an array, and returns its rank.
    fn array(&mut self, param: ParamId, span: Span) -> Option<usize> {
        match self.param(param, span)? {
            ParamKind::Array { shape, .. } => Some(shape.len()),
            ParamKind::Value(_) => {
                let name = &self.kernel.param(param).name;
                self.report(span, || format!("`{name}` is not an array"));
                None
            }
        }
    }
}
