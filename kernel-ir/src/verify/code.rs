//! The rules that kernels and functions have in common.

use super::numbers::Numbers;
use super::{flow, functions, params, phases, places, structs, types};
use crate::diag::Diagnostic;
use crate::ir::{Function, Kernel, ParamId, Type};

/// Checks `function`, but not the functions that it names. Returns a diagnostic for each broken rule.
pub(crate) fn verify_function(function: &Function) -> Vec<Diagnostic> {
    let mut mistakes = Vec::new();
    functions::check_form(function, &mut mistakes);
    check_code(&function.code, Some(function.ret), &mut mistakes);
    mistakes
}

/// Checks the code of a device function that changes arrays, and that calls do not name.
pub(crate) fn verify_procedure(code: &Kernel, ret: Option<Type>) -> Vec<Diagnostic> {
    let mut mistakes = Vec::new();
    check_code(code, ret, &mut mistakes);
    mistakes
}

/// Facts that the walk through a body finds besides mistakes.
pub(super) struct Found {
    /// Whether the body calls functions.
    pub(super) calls: bool,
    /// The extents that the body reads.
    pub(super) extents: Vec<(ParamId, u8)>,
}

/// Checks the code of a kernel or function; `ret` is the result type of a function, `None` for a kernel.
pub(super) fn check_code(code: &Kernel, ret: Option<Type>, mistakes: &mut Vec<Diagnostic>) -> Found {
    let (mut numbers, mut of_body) = (Numbers::new(code), Vec::new());
    // The other rules look up parameters and locals by number, so a node with a wrong number must not reach them.
    code.walk_stmts(&mut |stmt| {
        stmt.walk_exprs(&mut |expr| {
            if numbers.check_expr(expr) {
                types::check_expr(code, expr, &mut of_body);
            }
        });
        if numbers.check_stmt(stmt) {
            types::check(stmt, ret, &mut of_body);
            places::check(code, stmt, &mut of_body);
            structs::check_tuples(stmt, &mut of_body);
        }
    });
    if numbers.mistakes.is_empty() {
        params::check(code, mistakes);
        structs::check_types(code, ret, mistakes);
        mistakes.append(&mut of_body);
        flow::check(code, ret, mistakes);
        phases::check(code, mistakes);
    }
    mistakes.append(&mut numbers.mistakes);
    Found { calls: numbers.calls, extents: numbers.extents }
}
