//! Kernels whose threads can go through their loops in step: all threads of a group do the first trip, then all do the
//! second, and so on. Neighbours then read and write neighbouring elements at the same time, which vector instructions
//! do at once and caches like, where each thread for itself walks down a column, or waits for its last addition.
//!
//! # The order of additions
//!
//! Threads exchange nothing but additions to scatters. Such loops cut the body in parts: what stands before the first one,
//! the loop itself, what stands behind it, and so on. Within a part, the additions to an element are in the order of the
//! threads, as they are where each thread runs alone. For that
//! - the trips of the loop are the same for all threads;
//! - a thread comes to an element of a scatter in one trip only: all additions to the array in the loop have the same indices,
//!   and the variable of the loop is one of them;
//! - they are to different components of that element, which the text tells.
//!
//! All threads of a group go through a part before the first one goes on to the next. So where several parts add to one
//! element, its additions are in another order than if the threads ran one after the other: an adjoint of pairs adds to every
//! `at[j]` in the loop, and to `at[i]` behind it. That order is the meaning of the kernel ([`Execution`] says so), because a group
//! is made of threads that the launch alone determines: [`LANES`] neighbours along the last axis, the first of which has an
//! index divisible by `LANES`, if they are of one chunk and the launch fits the arrays ([`Lockstep::suits`]). All other threads
//! run alone. Nothing is kept for it but the locals of a group.
//!
//! Whatever else the body does, a thread does before, between and behind the loops, or within one trip. All arrays are
//! indexed by the thread's own indices, by constants and by the variables of such loops, so an index that is out of
//! bounds although the launch fits the arrays is so for all threads alike.
//!
//! It pays in loops that scatter, and in loops of nothing but exact operations on locals and own elements, which become
//! vector instructions. The latter go in step only where nothing in the kernel can fail but an index, for all threads alike.

use super::accesses::{accesses, written};
#[cfg(doc)]
use super::execution::LANES;
use super::execution::{Execution, ExtentPrecondition, Sharing};
use super::indices::Indices;
use super::stability::{cannot_fail, may_overflow};
use crate::ir::{Expr, ExprKind, ForRange, Kernel, LocalId, ParamId, Place, PlaceRoot, Projection, Stmt, StmtKind};
use crate::ops::{Accuracy, Op};
use crate::verify::VerifiedKernel;
use std::collections::{BTreeSet, HashMap, HashSet};

/// How the threads of a kernel go in step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lockstep {
    /// The places, in the body, of the loops in which they do.
    pub loops: BTreeSet<usize>,
    /// Locals that each thread must keep from one part of the body to another.
    pub kept: BTreeSet<LocalId>,
    /// Locals that are made of sizes and of the index of the thread alone, and can be computed again.
    pub cheap: BTreeSet<LocalId>,
    /// The array axes that a thread indexes by its own index. The threads of a launch that fits them may go in step.
    pub preconditions: Vec<ExtentPrecondition>,
}

impl Lockstep {
    /// How the threads of `kernel`, which runs so, go in step; `None` if they cannot, or if nothing would be won.
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
        if loops.is_empty() || has_exits(kernel, &loops) || kernel.locals.iter().any(|local| local.len.is_some()) {
            return None;
        }
        let preconditions = preconditions(kernel, &indices)?;
        let keeps_order = |place: &usize| scatters.iter().all(|array| is_added_to_once(&kernel.body[*place], *array));
        loops.iter().all(keeps_order).then_some(())?;
        let cheap = cheap(kernel);
        let kept = kept(kernel, &loops, &cheap);
        Some(Lockstep { loops, kept, cheap, preconditions })
    }

    /// Whether the threads of a launch of `dim` may go in step, where `extent` gives the extent of an array along an axis.
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
            uniform &= !matches!(
                expr.kind,
                ExprKind::Local(_) | ExprKind::LocalElement { .. } | ExprKind::Tid(_) | ExprKind::Load { .. }
            );
        });
        uniform
    })
}

/// Whether all threads take the same way through the body, and nothing can fail but an index.
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

/// Whether nothing in the expression can fail but the index of an element that every thread loads.
#[expect(clippy::wildcard_enum_match_arm, reason = "`cannot_fail` decides about the others")]
fn fails_by_index(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Load { index, .. } => index.iter().all(fails_by_index),
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

/// Whether the loop does nothing but exact operations on locals and on elements that are the thread's own and next to those
/// of its neighbours, with elements that are the same for all threads or next to each other.
fn becomes_vectors(kernel: &Kernel, stmt: &Stmt, execution: &Execution, indices: &Indices<'_>) -> bool {
    let StmtKind::For { body, .. } = &stmt.kind else { return false };
    let last = kernel.dim - 1;
    let neighbours = |index: &[Expr]| match index {
        [outer @ .., inner] => {
            indices.thread_axis(inner) == Some(last)
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
        | ExprKind::Call(..)
        | ExprKind::Cast(_)
        | ExprKind::Component(..)
        | ExprKind::Column(..)
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
            | StmtKind::Return(_) => false,
        };
        stmt.walk_exprs(&mut |expr| vector &= is_vector(expr));
        vector
    })
}

/// The axes that threads index by their own index; `None` if something is indexed by something else than that, the variable
/// of a loop that is the same for all threads, and constants.
fn preconditions(kernel: &Kernel, indices: &Indices<'_>) -> Option<Vec<ExtentPrecondition>> {
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

/// Whether a thread may leave the body, or a trip of one of the loops, before its end.
fn has_exits(kernel: &Kernel, loops: &BTreeSet<usize>) -> bool {
    let mut exits = false;
    kernel.walk_stmts(&mut |stmt| exits |= matches!(stmt.kind, StmtKind::Return(_)));
    for &place in loops {
        kernel.body[place].walk(&mut |stmt| exits |= stmt.is_jump());
    }
    exits
}

/// Whether a thread adds to a number in the array in one trip of the loop only, and there once: all additions are directly in
/// its body, each to another part of one element, which the variable of the loop tells from others.
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
    };
    let are_apart = parts.len() == all && here.iter().all(|place| place.path.iter().all(is_known));
    here.len() == all && indexed_alike && are_apart
}

/// See [`Lockstep::cheap`].
fn cheap(kernel: &Kernel) -> BTreeSet<LocalId> {
    let mut found: BTreeSet<LocalId> = BTreeSet::new();
    for stmt in &kernel.body {
        let StmtKind::Let { local, init: Some(init) } = &stmt.kind else { continue };
        let mut is_cheap = !kernel.local(*local).mutable;
        init.walk(&mut |expr| {
            is_cheap &= match &expr.kind {
                ExprKind::Local(local) => found.contains(local),
                ExprKind::Load { .. } | ExprKind::LocalElement { .. } | ExprKind::Call(..) => false,
                ExprKind::Op(..) => expr.ty.is_scalar() && !expr.ty.is_float(),
                ExprKind::Literal(_)
                | ExprKind::Param(_)
                | ExprKind::Tid(_)
                | ExprKind::Extent { .. }
                | ExprKind::Cast(_)
                | ExprKind::Component(..)
                | ExprKind::Column(..)
                | ExprKind::Select { .. } => true,
            };
        });
        if is_cheap {
            found.insert(*local);
        }
    }
    found
}

/// See [`Lockstep::kept`].
fn kept(kernel: &Kernel, loops: &BTreeSet<usize>, cheap: &BTreeSet<LocalId>) -> BTreeSet<LocalId> {
    // Which part of the body each statement is in: a new one begins with a loop and behind it.
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

    /// How the threads of the kernel with these parameters and this body go in step.
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
