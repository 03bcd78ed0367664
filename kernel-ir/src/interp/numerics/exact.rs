//! Kernels whose results are the same everywhere.

use crate::ir::{ExprKind, Kernel, Op, Type};
use crate::ops::Accuracy;
use crate::verify::VerifiedKernel;

/// Whether the results of `kernel` are the same on all machines: no operation of it, or of a function that it calls, is
/// inexact, and no float is added up in an open order.
pub fn is_exact(kernel: &VerifiedKernel) -> bool {
    let mut is_exact = !kernel.program().has_sums_in_any_order();
    let mut walk = |code: &Kernel| {
        code.walk_exprs(&mut |expr| {
            if let ExprKind::Op(op, _) = &expr.kind {
                is_exact &= is_exact_for(*op, expr.ty);
            }
        });
        code.walk_stmts(&mut |stmt| {
            if let Some((op, place)) = stmt.atomic() {
                is_exact &= is_exact_for(op.op(), place.ty);
            }
        });
    };
    walk(kernel);
    kernel.called().iter().for_each(|function| walk(&function.code));
    is_exact
}

/// Whether `op` has the same result of type `ty` on all machines.
fn is_exact_for(op: Op, ty: Type) -> bool {
    !(ty.is_scalar() && ty.is_float()) || op.accuracy() == Accuracy::Exact
}
