//! When an expression may be evaluated again, or although the program does not evaluate it.

use crate::ir::{Expr, ExprKind, LocalId, LocalSet, ParamId, PlaceRoot, Stmt, StmtKind};
use crate::ops::Op;

/// What a block of statements may change.
#[derive(Debug, Default)]
pub struct Mutations {
    locals: LocalSet,
    /// Each once. They are few.
    arrays: Vec<ParamId>,
}

impl Mutations {
    /// What `block` and the blocks inside it may change. Declarations count: a local declared anew has a new value.
    pub fn of(block: &[Stmt]) -> Mutations {
        let mut found = Mutations::default();
        for stmt in block {
            stmt.walk(&mut |stmt| match &stmt.kind {
                StmtKind::Let { local, .. } | StmtKind::For { local, .. } => {
                    found.locals.insert(*local);
                }
                StmtKind::Assign { place, .. } | StmtKind::Update { place, .. } => found.add(&place.root),
                StmtKind::Atomic { place, result, .. } => {
                    found.add(&place.root);
                    found.locals.extend(*result);
                }
                _ => {}
            });
        }
        found
    }

    fn add(&mut self, root: &PlaceRoot) {
        match root {
            PlaceRoot::Local(local) | PlaceRoot::LocalElement { local, .. } => {
                self.locals.insert(*local);
            }
            PlaceRoot::Element { array, .. } if !self.arrays.contains(array) => self.arrays.push(*array),
            PlaceRoot::Element { .. } => {}
        }
    }

    /// Whether the block may change `local`.
    pub fn changes(&self, local: LocalId) -> bool {
        self.locals.contains(local)
    }

    /// Whether the value of `expr` is the same before and after the block.
    pub fn keep(&self, expr: &Expr) -> bool {
        !expr.any(&mut |e| match &e.kind {
            ExprKind::Local(local) | ExprKind::LocalElement { local, .. } => self.locals.contains(*local),
            ExprKind::Load { array, .. } => self.arrays.contains(array),
            _ => false,
        })
    }
}

/// Whether evaluating `expr` can neither fail nor read out of bounds, so that it may be evaluated where the program
/// does not: no loads, no integer arithmetic that may overflow, no run-time component index.
pub fn cannot_fail(expr: &Expr) -> bool {
    !expr.any(&mut |e| match &e.kind {
        ExprKind::Load { .. } | ExprKind::LocalElement { .. } | ExprKind::Call(..) => true,
        ExprKind::Component(_, index) | ExprKind::Column(_, index) => !matches!(index.kind, ExprKind::Literal(_)),
        ExprKind::Op(Op::Clamp, _) => true,
        ExprKind::Op(op, _) => !e.ty.is_float() && may_overflow(*op),
        _ => false,
    })
}

/// Whether the operation, on integers, has operands for which Rust panics.
pub(super) fn may_overflow(op: Op) -> bool {
    matches!(
        op,
        Op::Add
            | Op::Sub
            | Op::Mul
            | Op::Div
            | Op::Rem
            | Op::Neg
            | Op::Abs
            | Op::Pow
            | Op::Shl
            | Op::Shr
            | Op::RemEuclid
            | Op::Dot
            | Op::ElementSum
            | Op::ElementProduct
    )
}
