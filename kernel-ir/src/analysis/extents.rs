//! Conditions on array extents that a launch must meet, known before it runs.

use super::accesses::written;
use super::execution::ExtentPrecondition;
use super::indices::Indices;
use crate::ir::{Expr, ExprKind, ParamId, Stmt, StmtKind};
use crate::verify::VerifiedKernel;

/// The array axes along which every thread unconditionally accesses the element of its own index. If a launch has more
/// threads than such an axis has elements, it would end with an index out of bounds, so the runtime can refuse it.
/// Sorted, without duplicates.
pub fn extent_preconditions(kernel: &VerifiedKernel) -> Vec<ExtentPrecondition> {
    let indices = Indices::of(kernel);
    let mut found = Vec::new();
    for stmt in &kernel.body {
        let mut accesses = Vec::new();
        stmt.exprs().for_each(|expr| loads(expr, &mut accesses));
        if let Some((array, access)) = written(stmt) {
            accesses.push((array, access.index.iter().map(Some).collect()));
        }
        for (array, index) in accesses {
            let preconditions = (0..).zip(index).filter_map(|(axis, index)| {
                let tid = indices.thread_axis(index?)?;
                Some(ExtentPrecondition { array, axis, tid })
            });
            found.extend(preconditions);
        }
        if may_leave(stmt) {
            break;
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// An array and the indices of an access, as far as they are expressions of the kernel.
type Indexed<'a> = (ParamId, Vec<Option<&'a Expr>>);

/// Collects the loads that are made whenever `expr` is evaluated, also those in the functions that it calls. An index
/// in a function is an expression of its caller if it is a parameter of the function.
fn loads<'a>(expr: &'a Expr, found: &mut Vec<Indexed<'a>>) {
    each_evaluated(expr, &mut |expr| {
        if let ExprKind::Load { array, index } = &expr.kind {
            found.push((*array, index.iter().map(Some).collect()));
        } else if let ExprKind::Call(callee, args) = &expr.kind
            && !callee.arrays.is_empty()
        {
            let mut inner = Vec::new();
            for stmt in &callee.function.code.body {
                stmt.exprs().for_each(|expr| loads(expr, &mut inner));
                if may_leave(stmt) {
                    break;
                }
            }
            let outside = |index: &Expr| match index.kind {
                ExprKind::Param(param) => callee.value(param, args),
                ExprKind::Literal(_)
                | ExprKind::Local(_)
                | ExprKind::LocalElement { .. }
                | ExprKind::Tid(_)
                | ExprKind::Extent { .. }
                | ExprKind::Present(_)
                | ExprKind::Load { .. }
                | ExprKind::Op(..)
                | ExprKind::Call(..)
                | ExprKind::Cast(_)
                | ExprKind::Component(..)
                | ExprKind::Column(..)
                | ExprKind::Field(..)
                | ExprKind::Tile(..)
                | ExprKind::Struct(_)
                | ExprKind::Select { .. } => None,
            };
            found.extend(inner.into_iter().filter_map(|(array, index)| {
                Some((callee.array(array)?, index.into_iter().map(|index| outside(index?)).collect()))
            }));
        }
    });
}

/// Whether threads may leave at the statement, so that accesses after it are conditional.
fn may_leave(stmt: &Stmt) -> bool {
    stmt.any(&mut |stmt| matches!(stmt.kind, StmtKind::Return(_)))
}

/// Visits the parts of `expr` that are evaluated whenever `expr` is evaluated.
fn each_evaluated<'a>(expr: &'a Expr, visit: &mut impl FnMut(&'a Expr)) {
    visit(expr);
    expr.always_evaluated().for_each(|child| each_evaluated(child, visit));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;
    use crate::verify::verify;

    /// The conditions of a kernel with these statements, as (array, axis, launch axis).
    fn needs_of(stmts: &str) -> Vec<(u32, u8, u8)> {
        let kernel = format!(
            "#[device]
            fn f(k: usize, x: &[f32; _], g: &[f32; _, _],) -> f32 {{
                if x[k] > 0.0f32 {{ return 1.0f32; }}
                return g[k, k];
            }}
            #[device]
            fn g(x: &[f32; _], g: &[f32; _, _], k: usize,) -> f32 {{ return f(k, x, g) + g[0usize, k]; }}
            #[kernel(family = \"test\", dim = 2)]
            fn k(x: &[f32; dim(0)], grid: &[f32; dim(0), dim(1)], out: &mut [f32; dim(1)],) {{
                let i.0: usize = tid(0);
                let j.1: usize = tid(1);
                {stmts}
            }}"
        );
        let kernel = verify(text::parse(&kernel).unwrap()).unwrap();
        extent_preconditions(&kernel)
            .into_iter()
            .map(|precondition| (precondition.array.0, precondition.axis, precondition.tid))
            .collect()
    }

    #[test]
    fn what_every_thread_accesses_is_needed() {
        assert_eq!(needs_of("out[j.1] = x[i.0] + grid[i.0, j.1];"), [(0, 0, 0), (1, 0, 0), (1, 1, 1), (2, 0, 1)]);
        assert_eq!(needs_of("out[j.1 + 1usize] = x[i.0];"), [(0, 0, 0)]);
        assert_eq!(needs_of("if x[i.0] > 0.0f32 { out[j.1] = 1.0f32; }"), [(0, 0, 0)]);
    }

    #[test]
    fn what_functions_access_is_needed() {
        assert_eq!(needs_of("out[0usize] = f(i.0, x, grid);"), [(0, 0, 0)]);
        assert_eq!(needs_of("out[0usize] = g(x, grid, j.1);"), [(0, 0, 1), (1, 1, 1)]);
        assert_eq!(needs_of("out[0usize] = f(i.0 + 1usize, x, grid);"), []);
    }

    #[test]
    fn what_only_some_reach_is_not() {
        assert_eq!(needs_of("if i.0 < x.extent(0) { out[j.1] = x[i.0]; }"), []);
        assert_eq!(needs_of("if i.0 >= x.extent(0) { return; } out[j.1] = x[i.0];"), []);
        assert_eq!(needs_of("out[j.1] = if i.0 < x.extent(0) { x[i.0] } else { 0.0f32 };"), [(2, 0, 1)]);
        assert_eq!(needs_of("if i.0 < x.extent(0) && x[i.0] > 0.0f32 { return; }"), []);
    }
}
