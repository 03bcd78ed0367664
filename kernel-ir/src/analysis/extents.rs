//! Conditions on array extents that a launch must meet, known before it runs.

use super::accesses::written;
use super::execution::ExtentPrecondition;
use super::indices::Indices;
use crate::ir::{Expr, ExprKind, ParamId, StmtKind};
use crate::verify::VerifiedKernel;

/// The array axes along which every thread unconditionally accesses the element of its own index. If a launch has more
/// threads than such an axis has elements, it would end with an index out of bounds, so the runtime can refuse it.
/// Sorted, without duplicates.
pub fn extent_preconditions(kernel: &VerifiedKernel) -> Vec<ExtentPrecondition> {
    let indices = Indices::of(kernel);
    let mut found = Vec::new();
    for stmt in &kernel.body {
        let mut add = |array: ParamId, index: &[Expr]| {
            let preconditions = (0..).zip(index).filter_map(|(axis, index)| {
                let tid = indices.thread_axis(index)?;
                Some(ExtentPrecondition { array, axis, tid })
            });
            found.extend(preconditions);
        };
        for expr in stmt.exprs() {
            each_evaluated(expr, &mut |expr| {
                if let ExprKind::Load { array, index } = &expr.kind {
                    add(*array, index);
                }
            });
        }
        if let Some((array, access)) = written(stmt) {
            add(array, access.index);
        }
        // Threads may leave here, so accesses after this statement are conditional.
        if stmt.any(&mut |stmt| matches!(stmt.kind, StmtKind::Return(_))) {
            break;
        }
    }
    found.sort_unstable();
    found.dedup();
    found
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
            "#[kernel(family = \"test\", dim = 2)]
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
    fn what_only_some_reach_is_not() {
        assert_eq!(needs_of("if i.0 < x.extent(0) { out[j.1] = x[i.0]; }"), []);
        assert_eq!(needs_of("if i.0 >= x.extent(0) { return; } out[j.1] = x[i.0];"), []);
        assert_eq!(needs_of("out[j.1] = if i.0 < x.extent(0) { x[i.0] } else { 0.0f32 };"), [(2, 0, 1)]);
        assert_eq!(needs_of("if i.0 < x.extent(0) && x[i.0] > 0.0f32 { return; }"), []);
    }
}
