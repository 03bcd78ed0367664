//! Tangents of arrays under `atomic_min` and `atomic_max`: the mean over all winners.
//!
//! A dual number keeps the tangent of one of several equal values. If the values of different inputs tie, that tangent
//! depends on the order of threads. By convention, winners share the gradient equally, so the tangent of the result is
//! the mean of the tangents of all winners. A second launch in dual numbers computes it: its kernel replaces each
//! atomic by a sum over the values that equal the result of the first launch, and counts them.

use super::args::{DualArg, floats, floats_mut};
use super::launch::Failure;
use crate::data::{Argument, Scalars};
use crate::interp::Dual;
use crate::ir::{
    AtomicOp, Expr, Kernel, Param, ParamId, ParamKind, Place, PlaceRoot, Scalar, Span, Stmt, StmtKind, Type,
};
use crate::ops::Op;
use crate::verify::{VerifiedKernel, verify};
use std::collections::BTreeMap;

/// A function that runs a launch and returns the arguments after it.
pub(super) type Run<'a> = dyn Fn(&VerifiedKernel, &[DualArg]) -> Result<Vec<DualArg>, Failure> + 'a;

/// Replaces the tangents of the arrays under `atomic_min` and `atomic_max` in `after` by the mean of the winners'
/// tangents. The launch of `kernel` has turned `before` into `after`; `run` runs such a launch.
///
/// # Errors
/// The second launch fails, or no value equals a result.
pub(super) fn share(
    kernel: &VerifiedKernel,
    before: &[DualArg],
    after: &mut [DualArg],
    run: &Run<'_>,
) -> Result<(), Failure> {
    let extrema = Extrema::of(kernel);
    if extrema.0.is_empty() {
        return Ok(());
    }
    let adding = verify(extrema.adding(kernel)).map_err(|mistakes| Failure::Fault(mistakes[0].message.clone()))?;
    let mut args = before.to_vec();
    for id in extrema.0.keys() {
        let (before, after) = (&before[id.0 as usize], &after[id.0 as usize]);
        // The value from before the launch is a winner too if the result equals it. It is counted once, with its own
        // tangent.
        let stays: Vec<bool> =
            floats(before).iter().zip(floats(after)).map(|(before, after)| before == after).collect();
        if let Some(sums) = floats_mut(&mut args[id.0 as usize]) {
            sums.iter_mut().zip(&stays).filter(|(_, stays)| !**stays).for_each(|(sum, _)| *sum = Dual::constant(0.0));
        }
        let ty = Type { scalar: Scalar::U32, ..before.ty };
        let counts = Scalars::U32(stays.into_iter().map(u32::from).collect());
        args.extend([after.clone(), Argument { ty, shape: before.shape.clone(), data: counts }]);
    }
    let args = run(&adding, &args)?;
    for (id, added) in &extrema.0 {
        let Scalars::U32(counts) = &args[added.count.0 as usize].data else { continue };
        let Some(results) = floats_mut(&mut after[id.0 as usize]) else { continue };
        for ((result, sum), count) in results.iter_mut().zip(floats(&args[id.0 as usize])).zip(counts) {
            match count {
                0 if !result.value.is_nan() => {
                    let message =
                        format!("`{}` holds {:e}, which nothing equals", kernel.param(*id).name, result.value);
                    return Err(Failure::Fault(message));
                }
                _ => result.tangent = sum.tangent / f64::from(*count),
            }
        }
    }
    Ok(())
}

/// The arrays under `atomic_min` or `atomic_max`, with the parameters added for them.
struct Extrema(BTreeMap<ParamId, Added>);

struct Added {
    /// The array after the first launch.
    result: ParamId,
    /// For each number, the count of values that equal it.
    count: ParamId,
}

impl Extrema {
    fn of(kernel: &Kernel) -> Extrema {
        let mut found = BTreeMap::new();
        kernel.walk_stmts(&mut |stmt| {
            if let Some((array, _)) = extreme(stmt) {
                found.entry(array).or_insert(Added { result: array, count: array });
            }
        });
        for (added, place) in found.values_mut().zip((kernel.params.len() as u32..).step_by(2)) {
            *added = Added { result: ParamId(place), count: ParamId(place + 1) };
        }
        Extrema(found)
    }

    /// The kernel of the second launch: it adds and counts the values that equal the result.
    fn adding(&self, kernel: &Kernel) -> Kernel {
        let mut adding = kernel.clone();
        for id in self.0.keys() {
            let of = kernel.param(*id);
            let ParamKind::Array { elem, optional, shape, .. } = &of.kind else { continue };
            let array = |name: &str, elem: Type, mutable: bool| Param {
                name: format!("{name} of {}", of.name),
                kind: ParamKind::Array { elem, mutable, optional: *optional, shape: shape.clone() },
                domain: None,
                span: Span::NONE,
            };
            let counts = Type { scalar: Scalar::U32, ..*elem };
            adding.params.extend([array("result", *elem, false), array("winners", counts, true)]);
        }
        for stmt in &mut adding.body {
            stmt.walk_mut(&mut |stmt| {
                if let Some((array, place)) = extreme(stmt)
                    && let (place, Some(added)) = (place.clone(), self.0.get(&array))
                {
                    added.replace(stmt, &place, kernel.param(array).elem());
                }
            });
        }
        adding
    }
}

impl Added {
    /// Replaces the atomic `stmt` by a guarded sum and count.
    fn replace(&self, stmt: &mut Stmt, place: &Place, elem: Type) {
        let StmtKind::Atomic { value, .. } = &stmt.kind else { return };
        let of = |array: ParamId, ty: Type| {
            let root = match &place.root {
                PlaceRoot::Element { index, .. } => PlaceRoot::Element { array, index: index.clone() },
                root @ (PlaceRoot::Local(_) | PlaceRoot::LocalElement { .. }) => root.clone(),
            };
            Place { root, ty, ..place.clone() }
        };
        let add = |place: Place, value: Expr| {
            Stmt::new(StmtKind::Atomic { op: AtomicOp::Add, place, compare: None, value, result: None })
        };
        let wins = Expr::op_to(Op::Eq, [value.clone(), of(self.result, place.ty).value(elem)], Type::BOOL);
        let count = add(of(self.count, Type::U32), Expr::number(1, Type::U32));
        stmt.kind = Stmt::when(wins, [add(place.clone(), value.clone()), count]).kind;
    }
}

/// The float array and the place of an `atomic_min` or `atomic_max` statement.
fn extreme(stmt: &Stmt) -> Option<(ParamId, &Place)> {
    let StmtKind::Atomic { op: AtomicOp::Min | AtomicOp::Max, place, .. } = &stmt.kind else { return None };
    let PlaceRoot::Element { array, .. } = place.root else { return None };
    place.ty.is_float().then_some((array, place))
}
