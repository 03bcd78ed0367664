//! The rules of the code of kernels and functions.

use super::numbers::Numbers;
use super::{flow, functions, params, places, types};
use crate::diag::Diagnostic;
use crate::ir::{Function, Kernel, ParamId, Type};

/// Checks `function`, but not those that it names. Returns every rule that it breaks.
pub(crate) fn verify_function(function: &Function) -> Vec<Diagnostic> {
    let mut mistakes = Vec::new();
    functions::check_form(function, &mut mistakes);
    check_code(&function.code, Some(function.ret), &mut mistakes);
    mistakes
}

/// What the walk through a body finds besides mistakes.
pub(super) struct Found {
    /// Whether functions are called.
    pub(super) calls: bool,
    /// The extents that are asked for.
    pub(super) extents: Vec<(ParamId, u8)>,
}

/// Checks what kernels and functions have in common; `ret` is the type of the result of a function.
pub(super) fn check_code(code: &Kernel, ret: Option<Type>, mistakes: &mut Vec<Diagnostic>) -> Found {
    let (mut numbers, mut of_body) = (Numbers::new(code), Vec::new());
    // The other rules look up what the numbers name.
    code.walk_stmts(&mut |stmt| {
        stmt.walk_exprs(&mut |expr| {
            if numbers.check_expr(expr) {
                types::check_expr(code, expr, &mut of_body);
            }
        });
        if numbers.check_stmt(stmt) {
            types::check(stmt, ret, &mut of_body);
            places::check(code, stmt, &mut of_body);
        }
    });
    if numbers.mistakes.is_empty() {
        params::check(code, mistakes);
        mistakes.append(&mut of_body);
        flow::check(code, ret, mistakes);
    }
    mistakes.append(&mut numbers.mistakes);
    Found { calls: numbers.calls, extents: numbers.extents }
}
