//! When an expression may be evaluated again, or evaluated speculatively.

use crate::ir::{Expr, ExprKind, LocalId, LocalSet, ParamId, Place, PlaceRoot, Stmt};
use crate::ops::Op;

/// The variables that a block of statements may change.
#[derive(Debug, Default)]
pub struct Mutations {
    locals: LocalSet,
    /// The arrays, without duplicates. A vector suffices because there are few.
    arrays: Vec<ParamId>,
}

impl Mutations {
    /// Collects the changes by `block` and its nested blocks. Declarations count, because a local that is declared
    /// again has a new value.
    pub fn of(block: &[Stmt]) -> Mutations {
        let mut found = Mutations::default();
        for stmt in block {
            stmt.walk(&mut |stmt| {
                found.locals.extend(stmt.declared_local());
                found.locals.extend(stmt.assigned_local());
                if let Some(Place { root: PlaceRoot::Element { array, .. }, .. }) = stmt.place()
                    && !found.arrays.contains(array)
                {
                    found.arrays.push(*array);
                }
            });
        }
        found
    }

    /// Whether the block may change `local`.
    pub fn changes(&self, local: LocalId) -> bool {
        self.locals.contains(local)
    }

    /// Whether the value of `expr` is the same before and after the block.
    pub fn keep(&self, expr: &Expr) -> bool {
        !expr.any(&mut |e| match &e.kind {
            ExprKind::Local(local) | ExprKind::LocalElement { local, .. } => self.locals.contains(*local),
            ExprKind::Load { .. } | ExprKind::Call(..) => e.params().iter().any(|array| self.arrays.contains(array)),
            ExprKind::Literal(_)
            | ExprKind::Param(_)
            | ExprKind::Tid(_)
            | ExprKind::Extent { .. }
            | ExprKind::Present(_)
            | ExprKind::Op(..)
            | ExprKind::Cast(_)
            | ExprKind::Component(..)
            | ExprKind::Column(..)
            | ExprKind::Field(..)
            | ExprKind::Tile(..)
            | ExprKind::Struct(_)
            | ExprKind::Select { .. } => false,
        })
    }
}

/// Whether `expr` can be evaluated speculatively: it contains no load, no call, no integer arithmetic that may
/// overflow, and no component index that is computed at run time.
pub fn cannot_fail(expr: &Expr) -> bool {
    !expr.any(&mut |e| match &e.kind {
        ExprKind::Load { .. } | ExprKind::LocalElement { .. } | ExprKind::Call(..) => true,
        ExprKind::Component(_, index) | ExprKind::Column(_, index) => !matches!(index.kind, ExprKind::Literal(_)),
        // `clamp` panics if its bounds are not in order.
        ExprKind::Op(Op::Clamp, _) => true,
        ExprKind::Op(op, _) => !e.ty.is_float() && may_overflow(*op),
        ExprKind::Literal(_)
        | ExprKind::Local(_)
        | ExprKind::Param(_)
        | ExprKind::Tid(_)
        | ExprKind::Extent { .. }
        | ExprKind::Present(_)
        | ExprKind::Cast(_)
        | ExprKind::Field(..)
        | ExprKind::Tile(..)
        | ExprKind::Struct(_)
        | ExprKind::Select { .. } => false,
    })
}

/// Whether Rust panics for some integer operands of the operation.
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
            | Op::Below
            | Op::Dot
            | Op::ElementSum
            | Op::ElementProduct
            | Op::RanduRange
            | Op::RandiRange
    )
}
