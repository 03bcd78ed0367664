//! Recognition of kernels whose results are bitwise equal on all machines.

use crate::ir::{ExprKind, Kernel, Op, Type};
use crate::ops::Accuracy;
use crate::verify::VerifiedKernel;

/// Whether the results of `kernel` are bitwise equal on all machines: neither it nor a function that it calls has an
/// inexact operation, and no float is added in an unspecified order.
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
                is_exact &= op.op().is_none_or(|op| is_exact_for(op, place.ty));
            }
        });
    };
    walk(kernel);
    kernel.called().iter().for_each(|function| walk(&function.code));
    is_exact
}

/// Whether `op` with a result of type `ty` is exact.
fn is_exact_for(op: Op, ty: Type) -> bool {
    // The table states accuracy for scalar floats; integers, and vectors (whose order of operations is fixed), are
    // exact.
    !(ty.is_scalar() && ty.is_float()) || op.accuracy() == Accuracy::Exact
}
