//! The rules of assigned places.

use super::tiles;
use super::types::{author_name, check_index, check_local_index, check_usize, column, component, field, mismatch};
use crate::diag::Diagnostic;
use crate::ir::{
    AtomicOp, ExprKind, ForRange, Kernel, Literal, LocalId, Place, PlaceRoot, Projection, Span, Stmt, StmtKind,
    StructId, Type,
};
use crate::ops::Op;

/// Checks the place that `stmt` itself assigns, and the type of the value.
pub(super) fn check(kernel: &Kernel, stmt: &Stmt, mistakes: &mut Vec<Diagnostic>) {
    Places { kernel, mistakes }.stmt(stmt);
}

struct Places<'a> {
    kernel: &'a Kernel,
    mistakes: &'a mut Vec<Diagnostic>,
}

impl Places<'_> {
    fn report(&mut self, span: Span, message: String) {
        self.mistakes.push(Diagnostic::new(span, message));
    }

    fn expect(&mut self, span: Span, expected: Type, found: Type) {
        if expected != found {
            self.mistakes.push(mismatch(span, expected, found));
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Let { local, init: Some(init) } => self.expect(init.span, self.kernel.local(*local).ty, init.ty),
            StmtKind::Assign { place, value } => {
                let _ = self.place(place);
                self.expect(value.span, place.ty, value.ty);
            }
            StmtKind::Update { place, op, value } => {
                self.whole_place(place);
                self.update(place, *op, value.ty, stmt.span);
            }
            StmtKind::Atomic { op, place, compare, value, result } => {
                self.whole_place(place);
                compare.iter().chain([value]).for_each(|operand| self.expect(operand.span, place.ty, operand.ty));
                if compare.is_some() != (*op == AtomicOp::Cas) {
                    self.report(stmt.span, format!("`atomic_cas` alone compares, not `{}`", op.name()));
                }
                self.atomic(*op, place, *result, stmt.span);
            }
            StmtKind::For { local, range, .. } => self.range(*local, range),
            StmtKind::Let { init: None, .. }
            | StmtKind::If { .. }
            | StmtKind::While { .. }
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_)
            | StmtKind::Print(_) => {}
        }
    }

    /// Checks a place that a statement computes from its old value. The number of an enum has no such operation in Rust.
    fn whole_place(&mut self, place: &Place) {
        if let Some(of) = self.place(place) {
            self.report(place.span, format!("the number of `{}` can only be assigned", of.name));
        }
    }

    /// Checks that the array is writable, and that the type of the place is the type at the end of its path. Returns the
    /// enum if the place is the number of one.
    fn place(&mut self, place: &Place) -> Option<StructId> {
        let mut ty = match &place.root {
            PlaceRoot::Local(local) => self.kernel.local(*local).ty,
            PlaceRoot::LocalElement { local, index } => {
                check_local_index(self.kernel.local(*local), index, self.mistakes);
                self.kernel.local(*local).ty
            }
            PlaceRoot::Element { array, index } => {
                let param = self.kernel.param(*array);
                check_index(self.kernel, *array, index, place.span, self.mistakes);
                if !param.is_mutable() {
                    self.report(place.span, format!("cannot write to `{}`: it is not a `&mut` parameter", param.name));
                }
                param.elem()
            }
        };
        let mut of = None;
        for step in &place.path {
            of = ty.as_enum();
            let part = match step {
                Projection::Component(index) => component(ty, index, self.mistakes),
                Projection::Column(index) => column(ty, index, self.mistakes),
                Projection::Field(number) => field(ty, *number, place.span, self.mistakes),
            };
            match part {
                Some(part) => ty = part,
                None => return None,
            }
        }
        if let PlaceRoot::Element { array, .. } = &place.root {
            tiles::check_part(self.kernel.param(*array), place.ty, place.span, self.mistakes);
            ty = ty.over([place.ty]);
        }
        self.expect(place.span, ty, place.ty);
        of
    }

    fn update(&mut self, place: &Place, op: Op, value: Type, span: Span) {
        // `&&=` and `||=` do not exist in Rust.
        let fits = tiles::fit([place.ty, value], place.ty);
        if op.is_lazy() || !fits || op.row(&[place.ty, value], place.ty).is_none() {
            let (place, value) = (place.ty.rust_name(), value.rust_name());
            self.report(span, format!("{place} cannot be updated by `{}` with {value}", author_name(op)));
        }
    }

    fn atomic(&mut self, op: AtomicOp, place: &Place, result: Option<LocalId>, span: Span) {
        let is_shared = matches!(place.root, PlaceRoot::LocalElement { .. }) && self.kernel.block.is_some();
        if !is_shared && !matches!(place.root, PlaceRoot::Element { .. }) {
            return self.report(span, format!("`{}` works on an array element, not on a variable", op.name()));
        }
        if place.ty.is_tile() && (!op.is_sum() || result.is_some()) {
            self.report(span, format!("`{}` on a tile; there are only sums, without a result", op.name()));
        }
        // The field of a struct is a value like any other.
        let is_whole = place.path.iter().all(|step| matches!(step, Projection::Field(_)));
        if !op.types(is_whole).contains(place.ty.element()) {
            let kind = if is_whole { "an element" } else { "a part" };
            let message = format!("`{}` cannot update {kind} of type {}", op.name(), place.ty.rust_name());
            self.report(span, message);
        }
        if let Some(local) = result {
            self.expect(span, self.kernel.local(local).ty, place.ty);
        }
    }

    fn range(&mut self, local: LocalId, range: &ForRange) {
        let ty = self.kernel.local(local).ty;
        if !(ty.is_scalar() && ty.scalar().is_integer()) {
            self.report(range.start.span, format!("a `for` runs over integers, not over {}", ty.rust_name()));
        }
        self.expect(range.start.span, ty, range.start.ty);
        self.expect(range.end.span, ty, range.end.ty);
        if let Some(step) = &range.step {
            check_usize(step, self.mistakes);
            if step.kind == ExprKind::Literal(Literal::Index(0)) {
                self.mistakes.push(Diagnostic::new(step.span, "a loop with step 0 never ends").help("use 1 or more"));
            }
        }
    }
}
