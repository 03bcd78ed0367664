//! Draws of random numbers: the number is stored, and a statement behind it advances the state of the generator.

use super::super::hir;
use super::Lower;
use crate::ir::{Expr, ExprKind, LocalId, PlaceRoot, Span, StmtKind};
use crate::ops::build::{Operand, Var};

impl Lower<'_> {
    /// Lowers `place = value` if the value is a draw whose state the place does not depend on, because Rust evaluates the
    /// place behind the draw. Returns whether it is.
    pub(super) fn assign_draw(&mut self, place: &hir::Expr, value: &hir::Expr, span: Span) -> bool {
        let hir::ExprKind::Draw { state, value: drawn } = &value.kind else { return false };
        let place = self.place(place);
        if place.root == PlaceRoot::Local(*state) || place.exprs().any(|index| index.reads(*state)) {
            return false;
        }
        let value = self.expr(drawn);
        self.push(StmtKind::Assign { place, value: value.clone() }, span);
        self.advance(*state, &value);
        true
    }

    /// Advances the state of a random generator behind the draw `drawn`.
    pub(super) fn advance(&mut self, state: LocalId, drawn: &Expr) {
        let ExprKind::Op(op, _) = drawn.kind else { return };
        let state = Var::new(state, self.locals[state.0 as usize].ty);
        self.push(state.set(op.advanced(state.expr())).kind, drawn.span);
    }
}
