//! The functions that need to know whether their value counts. `select` evaluates both of its sides, and a loop may not end
//! for the arguments of the side that is not chosen.

use crate::ir::{Expr, ExprKind, Function, Kernel};
use std::sync::Arc;

/// The functions with a loop that a side of an `if` expression calls, in the kernel or in a function.
pub(super) fn guarded(kernel: &Kernel) -> Vec<Arc<Function>> {
    let functions = kernel.called();
    let mut guarded: Vec<Arc<Function>> = Vec::new();
    let mut in_side = |expr: &Expr| {
        if let ExprKind::Call(callee, _) = &expr.kind
            && !guarded.contains(&callee.function)
            && has_loop(&callee.function.code)
        {
            guarded.push(Arc::clone(&callee.function));
        }
        false
    };
    for code in functions.iter().map(|function| &function.code).chain([kernel]) {
        code.walk_exprs(&mut |expr| {
            if let ExprKind::Select { then, other, .. } = &expr.kind {
                [then, other].iter().for_each(|side| _ = side.any(&mut in_side));
            }
        });
    }
    guarded
}

/// Whether code has a loop, itself or in a function that it calls.
fn has_loop(code: &Kernel) -> bool {
    let is_loop = |code: &Kernel| code.body.iter().any(|stmt| stmt.any(&mut |stmt| stmt.is_loop()));
    is_loop(code) || code.called().iter().any(|function| is_loop(&function.code))
}
