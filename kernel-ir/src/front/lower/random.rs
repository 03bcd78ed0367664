//! Draws of random numbers: the number is stored, and a statement behind it advances the state of the generator.

use super::super::hir::{self, ViewRoot};
use super::Lower;
use crate::analysis::Mutations;
use crate::ir::{Expr, ExprKind, Place, Span, StmtKind, Type};
use crate::ops::build::Var;

impl Lower<'_> {
    /// Lowers `place = value` if the value is a draw whose state the place does not depend on, because Rust evaluates the
    /// place behind the draw. Returns whether it is.
    pub(super) fn assign_draw(&mut self, place: &hir::Expr, value: &hir::Expr, span: Span) -> bool {
        let hir::ExprKind::Draw { state, value: drawn } = &value.kind else { return false };
        let (place, state_place) = (self.place(place), state_place(*state));
        let is_state = place.root == state_place.root;
        let advances = Mutations::of(&[state_place.set(0)]);
        if is_state || place.exprs().any(|index| !advances.keep(index)) {
            return false;
        }
        let value = self.expr(drawn);
        self.push(StmtKind::Assign { place, value: value.clone() }, span);
        self.advance(*state, &value);
        true
    }

    /// Advances the state of a random generator behind the draw `drawn`.
    pub(super) fn advance(&mut self, state: ViewRoot, drawn: &Expr) {
        let ExprKind::Op(op, args) = &drawn.kind else { return };
        let Some(before) = args.first() else { return };
        self.push(state_place(state).set(op.advanced(before.clone())).kind, drawn.span);
    }
}

/// The place of the state of a random generator.
fn state_place(state: ViewRoot) -> Place {
    match state {
        ViewRoot::Array(array) => Place::element(array, [], Type::U32),
        ViewRoot::LocalArray(local) | ViewRoot::Variable(local) => Var::new(local, Type::U32).place(),
    }
}
