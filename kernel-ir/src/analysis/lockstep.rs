//! Kernels whose loops can run in lockstep: all threads of a group do the first trip, then all do the second trip, and
//! so on. Neighbouring threads then access neighbouring elements at the same time, which suits vector instructions and
//! caches. Thread by thread, each thread would walk down a column, or wait for the latency of its own last addition.
//!
//! # The order of additions
//!
//! The only communication between threads is additions to scatters. The lockstep loops divide the body into parts: the
//! statements before the first loop, the loop, the statements after it, and so on. Within a part, the additions to an
//! element must come in the order of the threads, as they do in sequential execution. Three conditions ensure this:
//! - The trips of the loop are the same for all threads.
//! - A thread adds to an element of a scatter in one trip only: all additions to the array in the loop have the same
//!   indices, and the loop variable is one of them.
//! - The additions go to different components of the element, as the constant indices of the components show.
//!
//! All threads of a group finish a part before the first thread starts the next part. If several parts add to one
//! element, the order of its additions differs from sequential execution. An example is an adjoint of pairs, which adds
//! to every `at[j]` in the loop and to `at[i]` after it. The lockstep order is the meaning of the kernel, as
//! [`Execution`] says. That is possible because the groups depend on the launch alone: a group consists of [`LANES`]
//! neighbours along the last axis, in one chunk, where the last index of the first thread is a multiple of `LANES`, and
//! the launch fits the arrays ([`Lockstep::suits`]). All other threads run alone. The only additional memory is the
//! locals of one group.
//!
//! All other statements run thread by thread: before, between and after the loops, or within one trip. All arrays are
//! indexed by the thread's own indices, by constants, and by the variables of such loops. If a launch fits the arrays,
//! an index is therefore out of bounds for all threads or for none.
//!
//! Lockstep pays in two cases: in loops that add to scatters, and in loops of exact operations on locals and own
//! elements, which the compiler turns into vector instructions. The second case also requires that nothing in the
//! kernel can fail except an index, for all threads alike.

use super::accesses::{accesses, written};
#[cfg(doc)]
use super::execution::LANES;
use super::execution::{Execution, ExtentPrecondition, Sharing};
use super::indices::Indices;
use super::stability::{cannot_fail, may_overflow};
use crate::ir::{
    Expr, ExprKind, ForRange, Kernel, Local, LocalId, ParamId, Place, PlaceRoot, Projection, Stmt, StmtKind,
};
use crate::ops::{Accuracy, Op};
use crate::verify::VerifiedKernel;
use std::collections::{BTreeSet, HashMap, HashSet};

/// How the groups of a kernel's threads run in lockstep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lockstep {
    /// The positions in the body of the loops that run in lockstep.
    pub loops: BTreeSet<usize>,
    /// The locals that each thread must keep from one part of the body to another.
    pub kept: BTreeSet<LocalId>,
    /// The locals that depend on sizes and thread indices only, and can be recomputed in each part.
    pub cheap: BTreeSet<LocalId>,
    /// The array axes that are indexed by thread. A group runs in lockstep only if the launch fits these axes.
    pub preconditions: Vec<ExtentPrecondition>,
}

impl Lockstep {
    /// Analyses `kernel`, whose execution is `execution`; `None` if lockstep is impossible or does not pay.
    pub fn of(kernel: &VerifiedKernel, execution: &Execution) -> Option<Lockstep> {
        let scatters: HashSet<ParamId> =
            execution.sharing.iter().filter(|(_, class)| **class == Sharing::Scatter).map(|(id, _)| *id).collect();
        let is_loop = |stmt: &Stmt| matches!(&stmt.kind, StmtKind::For { range, .. } if is_uniform(range));
        let indices = Indices::of(kernel);
        let steady = execution.reason.is_none() && is_steady(kernel);
        let adds = |stmt: &Stmt| {
            let mut found = false;
            stmt.walk(&mut |stmt| found |= written(stmt).is_some_and(|(array, _)| scatters.contains(&array)));
            found
        };
        let pays = |stmt: &Stmt| adds(stmt) || (steady && becomes_vectors(kernel, stmt, execution, &indices));
        let places = (0..kernel.body.len()).filter(|&place| is_loop(&kernel.body[place]) && pays(&kernel.body[place]));
        let loops: BTreeSet<usize> = places.collect();
        // A group would need a copy of each local array for every thread, and its locals are arrays of numbers.
        let is_large = |local: &Local| local.len.is_some() || local.ty.is_struct();
        let has_structs = kernel.params.iter().any(|param| param.elem().is_struct());
        if loops.is_empty() || has_exits(kernel, &loops) || has_structs || kernel.locals.iter().any(is_large) {
            return None;
        }
        let preconditions = preconditions(kernel, &indices)?;
        let keeps_order = |place: &usize| scatters.iter().all(|array| is_added_to_once(&kernel.body[*place], *array));
        loops.iter().all(keeps_order).then_some(())?;
        let cheap = cheap(kernel);
        let kept = kept(kernel, &loops, &cheap);
        Some(Lockstep { loops, kept, cheap, preconditions })
    }

    /// Whether the groups of a launch of `dim` may run in lockstep. `extent` gives the extent of an array along an
    /// axis.
    pub fn suits(&self, dim: &[usize], extent: impl Fn(ParamId, u8) -> usize) -> bool {
        self.preconditions
            .iter()
            .all(|precondition| dim[usize::from(precondition.tid)] <= extent(precondition.array, precondition.axis))
    }
}

/// Whether all threads make the same trips.
fn is_uniform(range: &ForRange) -> bool {
    [Some(&range.start), Some(&range.end), range.step.as_ref()].into_iter().flatten().all(|bound| {
        let mut uniform = true;
        bound.walk(&mut |expr| {
            // The value of a local may differ between threads, so no local counts as uniform.
            uniform &= !matches!(
                expr.kind,
                ExprKind::Local(_) | ExprKind::LocalElement { .. } | ExprKind::Tid(_) | ExprKind::Load { .. }
            );
        });
        uniform
    })
}

/// Whether all threads take the same path through the body, and nothing can fail except an index.
fn is_steady(kernel: &Kernel) -> bool {
    fn is_straight(stmt: &Stmt) -> bool {
        matches!(
            stmt.kind,
            StmtKind::Let { .. } | StmtKind::Assign { .. } | StmtKind::Update { .. } | StmtKind::Atomic { .. }
        )
    }
    let is_calm = |stmt: &Stmt| {
        let is_loop = matches!(&stmt.kind, StmtKind::For { range, body, .. } if is_uniform(range) && body.iter().all(is_straight));
        is_loop || is_straight(stmt)
    };
    let mut steady = kernel.body.iter().all(is_calm);
    kernel.walk_stmts(&mut |stmt| {
        steady &= stmt.exprs().all(fails_by_index);
        if let StmtKind::Update { place, op, .. } = &stmt.kind {
            steady &= place.ty.is_float() || !may_overflow(*op);
        }
    });
    steady
}

/// Whether nothing in the expression can fail except the index of an element that every thread loads.
#[expect(clippy::wildcard_enum_match_arm, reason = "`cannot_fail` decides about the others")]
fn fails_by_index(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Load { index, .. } => index.iter().all(fails_by_index),
        // `&&` and `||` skip their second operand in some threads only, and `clamp` may panic.
        ExprKind::Op(op, args) if !matches!(op, Op::And | Op::Or | Op::Clamp) => {
            (expr.ty.is_float() || !may_overflow(*op)) && args.iter().all(fails_by_index)
        }
        ExprKind::Cast(inner) => fails_by_index(inner),
        ExprKind::Component(base, index) | ExprKind::Column(base, index) => {
            matches!(index.kind, ExprKind::Literal(_)) && fails_by_index(base)
        }
        _ => cannot_fail(expr),
    }
}

/// Whether the loop contains only exact operations on locals and on own elements that are contiguous across
/// neighbouring threads, and loads of elements that are uniform or contiguous across threads.
fn becomes_vectors(kernel: &Kernel, stmt: &Stmt, execution: &Execution, indices: &Indices<'_>) -> bool {
    let StmtKind::For { body, .. } = &stmt.kind else { return false };
    let last = kernel.dim - 1;
    let neighbours = |index: &[Expr]| match index {
        [outer @ .., inner] => {
            indices.thread_axis(inner) == Some(last)
                // An outer index by the same axis would make neighbours of the launch distant in memory.
                && outer.iter().all(|index| indices.thread_axis(index) != Some(last))
        }
        [] => false,
    };
    let is_vector = |expr: &Expr| match &expr.kind {
        ExprKind::Op(op, args) => op.row_of(args, expr.ty).is_some_and(|(row, _)| row.accuracy == Accuracy::Exact),
        ExprKind::Load { index, .. } => {
            let outer = &index[..index.len() - 1];
            outer.iter().all(|index| indices.thread_axis(index) != Some(last))
        }
        ExprKind::Literal(_)
        | ExprKind::Local(_)
        | ExprKind::LocalElement { .. }
        | ExprKind::Param(_)
        | ExprKind::Tid(_)
        | ExprKind::Extent { .. }
        | ExprKind::Present(_)
        | ExprKind::Call(..)
        | ExprKind::Cast(_)
        | ExprKind::Component(..)
        | ExprKind::Column(..)
        | ExprKind::Field(..)
        | ExprKind::Tile(..)
        | ExprKind::Struct(_)
        | ExprKind::Select { .. } => true,
    };
    body.iter().all(|stmt| {
        let mut vector = match &stmt.kind {
            StmtKind::Let { .. } => true,
            StmtKind::Assign { place, .. } | StmtKind::Update { place, .. } => match &place.root {
                PlaceRoot::Local(_) => true,
                PlaceRoot::Element { array, index } => {
                    execution.sharing.get(array) == Some(&Sharing::Own) && neighbours(index)
                }
                PlaceRoot::LocalElement { .. } => false,
            },
            StmtKind::Atomic { .. }
            | StmtKind::If { .. }
            | StmtKind::For { .. }
            | StmtKind::While { .. }
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_)
            | StmtKind::Print(_) => false,
        };
        stmt.walk_exprs(&mut |expr| vector &= is_vector(expr));
        vector
    })
}

/// The axes that threads index by their own index; `None` if some index is neither that, nor a constant, nor the
/// variable of a surrounding uniform loop.
fn preconditions(kernel: &Kernel, indices: &Indices<'_>) -> Option<Vec<ExtentPrecondition>> {
    // The loop variable that is uniform at each statement. Only loops at the top level of the body count.
    let mut inside = HashMap::new();
    for stmt in &kernel.body {
        let StmtKind::For { local, range, .. } = &stmt.kind else { continue };
        if is_uniform(range) {
            stmt.walk(&mut |stmt| {
                inside.insert(std::ptr::from_ref(stmt), *local);
            });
        }
    }
    let mut found = BTreeSet::new();
    for (array, access) in
        accesses(kernel).into_iter().flat_map(|(array, all)| all.into_iter().map(move |a| (array, a)))
    {
        let variable = inside.get(&std::ptr::from_ref(access.stmt));
        for (axis, index) in (0..).zip(access.index) {
            match (indices.thread_axis(index), variable) {
                (Some(tid), _) => {
                    found.insert(ExtentPrecondition { array, axis, tid });
                }
                (None, variable) if !is_constant(index) && !variable.is_some_and(|local| is_local(index, *local)) => {
                    return None;
                }
                _ => {}
            }
        }
    }
    Some(found.into_iter().collect())
}

fn is_constant(index: &Expr) -> bool {
    matches!(index.kind, ExprKind::Literal(_))
}

fn is_local(index: &Expr, local: LocalId) -> bool {
    index.kind == ExprKind::Local(local)
}

/// Whether a thread may leave the body, or a trip of one of the loops, early.
fn has_exits(kernel: &Kernel, loops: &BTreeSet<usize>) -> bool {
    let mut exits = false;
    kernel.walk_stmts(&mut |stmt| exits |= matches!(stmt.kind, StmtKind::Return(_)));
    for &place in loops {
        kernel.body[place].walk(&mut |stmt| exits |= stmt.is_jump());
    }
    exits
}

/// Whether a thread adds to each scalar of the array in one trip of the loop at most, and once in that trip: all
/// additions stand directly in the loop body, address the element by the loop variable, and go to different constant
/// components of it. An addition to several components is the only one.
fn is_added_to_once(stmt: &Stmt, array: ParamId) -> bool {
    let StmtKind::For { local, body, .. } = &stmt.kind else { return false };
    let adds = |stmt: &Stmt| written(stmt).is_some_and(|(other, _)| other == array);
    let mut all = 0;
    stmt.walk(&mut |stmt| all += usize::from(adds(stmt)));
    let here: Vec<&Place> = body.iter().filter(|stmt| adds(stmt)).filter_map(Stmt::place).collect();
    let indexed_alike = here.iter().all(|place| {
        place.root == here[0].root
            && matches!(&place.root, PlaceRoot::Element { index, .. }
                if index.iter().any(|index| is_local(index, *local)))
    });
    let parts: HashSet<_> = here.iter().map(|place| &place.path).collect();
    let is_known = |step: &Projection| match step {
        Projection::Component(index) | Projection::Column(index) => is_constant(index),
        Projection::Field(_) => true,
    };
    let are_known = here.iter().all(|place| place.path.iter().all(is_known));
    let are_numbers = here.iter().all(|place| place.ty.is_scalar());
    let are_apart = all == 1 || (are_numbers && parts.len() == all);
    here.len() == all && indexed_alike && are_known && are_apart
}

/// Computes [`Lockstep::cheap`].
fn cheap(kernel: &Kernel) -> BTreeSet<LocalId> {
    let mut found: BTreeSet<LocalId> = BTreeSet::new();
    for stmt in &kernel.body {
        let StmtKind::Let { local, init: Some(init) } = &stmt.kind else { continue };
        let mut is_cheap = !kernel.local(*local).mutable;
        init.walk(&mut |expr| {
            is_cheap &= match &expr.kind {
                ExprKind::Local(local) => found.contains(local),
                ExprKind::Load { .. } | ExprKind::LocalElement { .. } | ExprKind::Call(..) => false,
                // An integer operation on sizes and indices is cheap. Float functions may be expensive.
                ExprKind::Op(..) => expr.ty.is_scalar() && !expr.ty.is_float(),
                ExprKind::Literal(_)
                | ExprKind::Param(_)
                | ExprKind::Tid(_)
                | ExprKind::Extent { .. }
                | ExprKind::Present(_)
                | ExprKind::Cast(_)
                | ExprKind::Component(..)
                | ExprKind::Column(..)
                | ExprKind::Field(..)
                | ExprKind::Tile(..)
                | ExprKind::Struct(_)
                | ExprKind::Select { .. } => true,
            };
        });
        if is_cheap {
            found.insert(*local);
        }
    }
    found
}

/// Computes [`Lockstep::kept`].
fn kept(kernel: &Kernel, loops: &BTreeSet<usize>, cheap: &BTreeSet<LocalId>) -> BTreeSet<LocalId> {
    // Numbers the parts of the body: a loop is a part of its own, so the number grows before and after it.
    let mut part = 0;
    let mut declared = HashMap::new();
    let mut kept = BTreeSet::new();
    for (place, stmt) in kernel.body.iter().enumerate() {
        part += usize::from(loops.contains(&place));
        let mut meet = |local: LocalId| {
            if declared.get(&local).is_some_and(|before| *before != part) && !cheap.contains(&local) {
                kept.insert(local);
            }
        };
        stmt.walk(&mut |stmt| {
            stmt.assigned_local().into_iter().for_each(&mut meet);
            stmt.walk_exprs(&mut |expr| {
                if let ExprKind::Local(local) = expr.kind {
                    meet(local);
                }
            });
        });
        if let StmtKind::Let { local, .. } = stmt.kind {
            declared.insert(local, part);
        }
        part += usize::from(loops.contains(&place));
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front;

    /// The lockstep analysis of the kernel with these parameters and this body.
    fn lockstep(params: &str, body: &str) -> Option<Lockstep> {
        let item = format!("fn k({params}) {{ let i = tid(); {body} }}").parse().unwrap();
        let kernel = front::compile(Default::default(), item).kernel.unwrap();
        Lockstep::of(&kernel, &Execution::of(&kernel))
    }

    const PARAMS: &str = "n: usize, x: &[f32], w: &[f32], y: &mut [f32], sum: &mut [f32]";

    #[test]
    fn an_element_comes_once() {
        let found = lockstep(
            PARAMS,
            "let v = x[i]; let mut s = v; for k in 0..n { s += w[k]; atomic_add(&mut sum[k], v * w[k]); } y[i] = s;",
        );
        let found = found.unwrap();
        assert_eq!(found.loops, BTreeSet::from([3]));
        assert_eq!((found.kept.len(), found.cheap.len(), found.preconditions.len()), (2, 1, 2));
    }

    #[test]
    fn not_if_the_order_of_additions_would_change() {
        let once = "for k in 0..n { atomic_add(&mut sum[k], x[i]); }";
        assert!(lockstep(PARAMS, once).is_some());
        assert_eq!(lockstep(PARAMS, "for k in 0..n { atomic_add(&mut sum[n], x[i]); }"), None);
        let twice = "for k in 0..n { atomic_add(&mut sum[k], x[i]); atomic_add(&mut sum[k], w[k]); }";
        assert_eq!(lockstep(PARAMS, twice), None);
    }

    /// No author adds to a part of an element, but adjoints do.
    #[test]
    fn parts_of_a_vector_that_may_be_one_are_not_two() {
        let alike = |first: &str, second: &str| {
            let text = format!(
                "#[kernel(family = \"f\", dim = 1, no_grad)]
fn k(x: &[u32; dim(0)], sum: &mut [vec3; dim(0)],) {{
    let a.0: usize = x[tid(0)] as usize;
    for k.1: usize in (0usize..8usize) {{
        atomic_add(sum[k.1]{first}, 1.0f32);
        atomic_add(sum[k.1]{second}, 2.0f32);
    }}
}}
"
            );
            let kernel = crate::verify::verify(crate::text::parse(&text).unwrap()).unwrap();
            Lockstep::of(&kernel, &Execution::of(&kernel))
        };
        assert!(alike(".x", ".y").is_some());
        assert_eq!(alike(".x", ".x"), None);
        assert_eq!(alike(".x", "[a.0]"), None);
    }

    #[test]
    fn several_parts_of_the_body_may_add() {
        let params = "n: usize, x: &[f32], sum: &mut [f32]";
        let body = "for k in 0..n { atomic_add(&mut sum[k], x[i]); }
            atomic_add(&mut sum[i], 1.0);
            for k in 0..n { atomic_add(&mut sum[k], x[k]); }
            atomic_add(&mut sum[3], x[i]);";
        assert_eq!(lockstep(params, body).unwrap().loops, BTreeSet::from([1, 3]));
    }

    #[test]
    fn sums_of_exact_operations_become_vectors() {
        let found = lockstep(PARAMS, "let mut s = 0.0; for k in 0..n { s += w[k] * x[i]; } y[i] = s.sin();").unwrap();
        assert_eq!((found.loops, found.kept.len()), (BTreeSet::from([2]), 1));
        for other in [
            "let mut s = 0.0; for k in 0..n { s += w[k].sin(); } y[i] = s;",
            "let mut s = 0.0; for k in 0..n { if w[k] < x[i] { s += w[k]; } } y[i] = s;",
            "let mut s = 0.0; for k in 0..i { s += w[k]; } y[i] = s;",
            "let mut s = 0.0; for k in 0..n { s += x[i]; } y[i] = if s < 0.0 { w[3] } else { s };",
            "let mut s = 0; for k in 0..n { s += k; } y[i] = s as f32;",
        ] {
            assert_eq!(lockstep(PARAMS, other), None, "{other}");
        }
    }

    #[test]
    fn sums_in_an_element_of_the_thread_become_vectors() {
        assert!(lockstep(PARAMS, "for k in 0..n { y[i] += w[k] * x[i]; }").is_some());
        let row = "#[shape(dim0, dim0)] a: &mut Array2<f32>, n: usize, x: &[f32]";
        assert_eq!(lockstep(row, "for k in 0..n { a[[i, 3]] += x[k]; }"), None);
    }

    #[test]
    fn columns_become_vectors_and_rows_do_not() {
        let of = |index: &str| {
            let body = format!("let mut s = 0.0; for k in 0..a.shape()[1] {{ s += a[{index}]; }} y[i] = s;");
            lockstep("#[shape(dim0, dim0)] a: &Array2<f32>, y: &mut [f32]", &body)
        };
        assert!(of("[k, i]").is_some());
        assert_eq!(of("[i, k]"), None);
    }

    #[test]
    fn not_if_threads_make_other_trips_or_fail_alone() {
        assert_eq!(lockstep(PARAMS, "for k in 0..i { atomic_add(&mut sum[k], 1.0); }"), None);
        assert_eq!(lockstep(PARAMS, "for k in 0..n { atomic_add(&mut sum[k], x[i + k]); }"), None);
        let exit = "for k in 0..n { if w[k] < 0.0 { continue; } atomic_add(&mut sum[k], x[i]); }";
        assert_eq!(lockstep(PARAMS, exit), None);
    }
}
