//! Commutativity of atomic updates of integers.

use super::accesses::Access;
use crate::ir::{AtomicOp, Expr, ExprKind, Scalar, StmtKind, Type};

/// Whether the order of these atomic updates of integers is unobservable, both in the result and in whether an update
/// overflows.
pub(super) fn commute(accesses: &[Access<'_>]) -> bool {
    let Some(first) = accesses.first() else { return true };
    accesses.iter().all(|access| access.kind == first.kind && access.is_order_free())
}

impl Access<'_> {
    /// Whether several updates like this one commute. Additions of nonnegative values commute: the partial sums grow
    /// monotonically, so some order overflows if and only if every order does. A subtraction may overflow in one order
    /// only.
    fn is_order_free(&self) -> bool {
        let StmtKind::Atomic { op, value, .. } = &self.stmt.kind else { return false };
        match op {
            AtomicOp::Min | AtomicOp::Max | AtomicOp::And | AtomicOp::Or | AtomicOp::Xor => true,
            AtomicOp::Add => is_never_negative(value),
            AtomicOp::Sub | AtomicOp::Exch | AtomicOp::Cas => false,
        }
    }
}

fn is_never_negative(value: &Expr) -> bool {
    if let ExprKind::Cast(inner) = &value.kind {
        return inner.ty == Type::BOOL;
    }
    value.as_integer().is_some_and(|value| value >= 0) || matches!(value.ty.scalar(), Scalar::U32 | Scalar::U64)
}
