//! Classifies each mutable array by what the threads of a launch do with it, because the class decides how the adjoint
//! of the array is computed.
//!
//! - [`ArrayClass::Linear`]: assigned, added to or subtracted from, plainly or atomically, and never read. Assigned
//!   elements belong to one thread.
//! - [`ArrayClass::Extremum`]: `atomic_min` or `atomic_max` only, on scalars or on components of vectors.
//! - [`ArrayClass::ReadOnly`]: declared mutable, but only read.
//! - [`ArrayClass::Owned`]: read and written, where each thread accesses only elements of its own, at indices that do
//!   not change within the thread. Such an element is promoted to a local
//!   ([`scalar_promotion`](crate::adjoint::normalize::scalar_promotion)).
//! - [`ArrayClass::Opaque`]: written integers, with any accesses. The adjoint does not use them.
//!
//! Any other use of a float array is refused. The adjoint has the array only as it was before the launch or after it, but
//! a read may have seen a value in between, written by another thread or in another trip of a loop.

use super::activity::smooth_leaves;
use crate::analysis::{Access, AccessKind, Indices, accesses, written};
use crate::diag::Diagnostic;
use crate::ir::{AtomicOp, Expr, ExprKind, Kernel, Param, ParamId, ParamKind, Shape, Span};
use std::collections::{BTreeMap, BTreeSet};

/// The use of a mutable array by a launch. The module doc defines the classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArrayClass {
    Linear,
    Extremum,
    ReadOnly,
    Owned,
    Opaque,
}

/// The class of every mutable array of `kernel`.
///
/// # Errors
/// A diagnostic for each array whose adjoint would not be exact.
pub(crate) fn classify(kernel: &Kernel) -> Result<BTreeMap<ParamId, ArrayClass>, Vec<Diagnostic>> {
    let indices = Indices::of(kernel);
    let accesses = accesses(kernel);
    let mut classes = BTreeMap::new();
    let mut mistakes = Vec::new();
    for (id, param) in kernel.param_ids().filter(|(_, param)| param.is_mutable()) {
        let accesses = accesses.get(&id).map_or(&[][..], Vec::as_slice);
        match class(param, accesses, &indices) {
            Ok(class) => {
                classes.insert(id, class);
            }
            Err(mistake) => mistakes.push(mistake),
        }
    }
    if mistakes.is_empty() { Ok(classes) } else { Err(mistakes) }
}

fn class(param: &Param, accesses: &[Access<'_>], indices: &Indices<'_>) -> Result<ArrayClass, Diagnostic> {
    let first = |wanted: &dyn Fn(AccessKind) -> bool| accesses.iter().find(|access| wanted(access.kind));
    let is_atomic = |kind| matches!(kind, AccessKind::Atomic(_));
    let read = first(&|kind| matches!(kind, AccessKind::Read | AccessKind::Change));
    let write = first(&|kind| kind != AccessKind::Read);
    let (Some(read), Some(_)) = (read, write) else {
        return match (write, param.elem().is_float()) {
            (None, _) => Ok(ArrayClass::ReadOnly),
            (Some(_), false) => Ok(ArrayClass::Opaque),
            (Some(_), true) => without_reads(param, accesses, indices),
        };
    };
    if let (true, Some(atomic)) = (param.elem().is_float(), first(&is_atomic)) {
        let other = first(&|kind| !is_atomic(kind)).unwrap_or(read);
        return Err(mixed(param, atomic, other));
    }
    // An element is promoted to one local, so its index must have one value in each thread.
    let single = |access: &Access<'_>| {
        access.index.iter().all(|index| indices.affine(index).is_some_and(|index| index.is_single()))
    };
    let all: Vec<&[Expr]> = accesses.iter().map(|access| access.index).collect();
    let is_owned = first(&is_atomic).is_none() && indices.are_disjoint(&all) && accesses.iter().all(single);
    let unclear = if is_owned { indices.unclear(&all) } else { None };
    match (param.elem().is_float(), unclear) {
        (_, None) if is_owned => Ok(ArrayClass::Owned),
        (false, _) => Ok(ArrayClass::Opaque),
        (true, Some([one, other])) => Err(coincidence(param, one, other)),
        (true, None) => Err(clash(param, accesses, indices)),
    }
}

/// The class of a float array that is written and not read.
fn without_reads(param: &Param, accesses: &[Access<'_>], indices: &Indices<'_>) -> Result<ArrayClass, Diagnostic> {
    let atomics: Vec<(AtomicOp, &Access<'_>)> = accesses
        .iter()
        .filter_map(|access| match access.kind {
            AccessKind::Atomic(op) => Some((op, access)),
            AccessKind::Read | AccessKind::Write | AccessKind::Accumulate | AccessKind::Change => None,
        })
        .collect();
    let Some((op, first)) = atomics.first() else {
        let all: Vec<&[Expr]> = accesses.iter().map(|access| access.index).collect();
        return match accesses.iter().find(|access| access.kind == AccessKind::Write) {
            Some(write) if !indices.are_disjoint(&all) => Err(race(param, write, accesses, indices)),
            _ => Ok(ArrayClass::Linear),
        };
    };
    if let Some(other) = accesses.iter().find(|access| !matches!(access.kind, AccessKind::Atomic(_))) {
        return Err(mixed(param, first, other));
    }
    match atomics.iter().find(|(other, _)| other != op && !(other.is_sum() && op.is_sum())) {
        Some((_, other)) => Err(mixed(param, first, other)),
        None if op.is_sum() => Ok(ArrayClass::Linear),
        None if op.is_exchange() => Err(exchanged(param, first)),
        None if matches!(param.elem().shape, Shape::Scalar | Shape::Vector(_)) => Ok(ArrayClass::Extremum),
        None => Err(uncounted(param, first)),
    }
}

/// The diagnostic for `atomic_min` or `atomic_max` on matrices: the language has no matrix of integers that could hold
/// winner counts.
fn uncounted(param: &Param, atomic: &Access<'_>) -> Diagnostic {
    let (name, ty) = (&param.name, param.elem().rust_name());
    Diagnostic::new(
        atomic.span,
        format!(
            "no exact gradient: the adjoint counts the winners of each number of `{name}`, but `{ty}` has no integer version"
        ),
    )
    .help(format!("make `{name}` an array of numbers or of vectors, or mark the kernel `no_grad`"))
}

/// The diagnostic for floats that several threads may replace. Which value stays is open, so the gradient is, too.
fn exchanged(param: &Param, atomic: &Access<'_>) -> Diagnostic {
    let message =
        format!("no exact gradient: which value `{}` keeps may depend on the order of the threads", param.name);
    Diagnostic::new(atomic.span, message).help("assign the element in one thread alone, or mark the kernel `no_grad`")
}

/// The diagnostic for an array under atomic operations that is also accessed in another way.
fn mixed(param: &Param, atomic: &Access<'_>, other: &Access<'_>) -> Diagnostic {
    let name = &param.name;
    let (use_of, way_out) = match other.kind {
        AccessKind::Read => ("read", format!("read `{name}` in another kernel that is launched after this one")),
        AccessKind::Write => ("assigned", format!("set `{name}` before the launch")),
        AccessKind::Accumulate | AccessKind::Change | AccessKind::Atomic(_) => {
            ("changed in another way", "use one array for each kind of atomic operation".to_owned())
        }
    };
    let message = format!("no exact gradient: the values of `{name}` may depend on the order of the threads");
    Diagnostic::new(atomic.span, message)
        .related(other.span, format!("`{name}` is {use_of} here"))
        .help(format!("{way_out}, or mark the kernel `no_grad`"))
}

/// The diagnostic for an element that several threads may assign. Which assignment is the last one is open, so the
/// gradient has no definite owner.
fn race(param: &Param, write: &Access<'_>, accesses: &[Access<'_>], indices: &Indices<'_>) -> Diagnostic {
    let name = &param.name;
    let (place, why) = match accesses.iter().find(|access| access.index != write.index) {
        Some(other) => (other.span, "is changed here, at another index"),
        None => shared(write.index, indices),
    };
    let message = format!("no exact gradient: several threads may assign the same element of `{name}`");
    Diagnostic::new(write.span, message).related(place, format!("`{name}` {why}")).help(format!(
        "assign `{name}` at an index that no other thread uses, such as `{name}[tid()]`, or `{name}[[tid(), k]]` for a row \
         of its own; or add to it with `atomic_add`; or mark the kernel `no_grad`"
    ))
}

/// The diagnostic for two indices that name one element for some launch sizes and two elements for others.
fn coincidence(param: &Param, one: &[Expr], other: &[Expr]) -> Diagnostic {
    let name = &param.name;
    let place = |index: &[Expr]| {
        let axis = one.iter().zip(other).position(|(one, other)| one != other).unwrap_or(0);
        index.get(axis).map_or(Span::NONE, |axis| axis.span)
    };
    let message = format!(
        "no exact gradient: this index of `{name}` and another one are equal for some launch sizes and differ for others"
    );
    Diagnostic::new(place(other), message).related(place(one), "the other index").help(format!(
        "use indices of `{name}` that differ by a constant, or the same index for both; or read from another array; or mark \
         the kernel `no_grad`"
    ))
}

/// The diagnostic for a read of an element that this thread or another one may have overwritten.
fn clash(param: &Param, accesses: &[Access<'_>], indices: &Indices<'_>) -> Diagnostic {
    let name = &param.name;
    let reads = || accesses.iter().filter(|access| matches!(access.kind, AccessKind::Read | AccessKind::Change));
    let writes = || accesses.iter().filter(|access| access.kind != AccessKind::Read);
    let apart = reads().find_map(|read| Some((read, writes().find(|write| write.index != read.index)?)));
    let (read, (place, why)) = match (apart, reads().next()) {
        (Some((read, write)), _) => (read, (write.span, "is written here, at another index")),
        (None, Some(read)) => (read, shared(read.index, indices)),
        (None, None) => return Diagnostic::new(param.span, format!("no exact gradient: `{name}` is overwritten")),
    };
    Diagnostic::new(read.span, format!("no exact gradient: `{name}` is read here, and the kernel overwrites it"))
        .related(place, format!("`{name}` {why}"))
        .help(format!(
            "write to another array; or read and write `{name}` at one index that no other thread uses, such as \
             `{name}[tid()]`; or mark the kernel `no_grad`"
        ))
}

/// Explains why the elements at `index` do not belong to one thread: the axis to point at, and the end of the message.
fn shared(index: &[Expr], indices: &Indices<'_>) -> (Span, &'static str) {
    let of = |axis: &Expr| indices.affine(axis);
    let span = |axis: Option<&Expr>| axis.map_or(Span::NONE, |axis| axis.span);
    if let unknown @ Some(_) = index.iter().find(|axis| of(axis).is_none()) {
        return (span(unknown), "may be accessed at this index by another thread, or in a later iteration");
    }
    match index.iter().find(|axis| of(axis).is_some_and(|value| !value.is_single())) {
        moving @ Some(_) => (span(moving), "is accessed at this index, which changes from one iteration to the next"),
        None => (span(index.first()), "is accessed at this index by other threads too"),
    }
}

/// The first write to each array, in source order.
pub(crate) fn first_writes(kernel: &Kernel) -> BTreeMap<ParamId, Span> {
    let mut first = BTreeMap::new();
    kernel.walk_stmts(&mut |stmt| {
        if let Some((array, access)) = written(stmt) {
            first.entry(array).or_insert(access.span);
        }
    });
    first
}

/// The arrays whose smooth loads in different threads are disjoint. Their adjoints need no atomic additions.
pub(crate) fn exclusive(kernel: &Kernel) -> BTreeSet<ParamId> {
    let indices = Indices::of(kernel);
    let mut loads: BTreeMap<ParamId, Vec<&[Expr]>> = BTreeMap::new();
    kernel.walk_stmts(&mut |stmt| {
        for expr in stmt.exprs() {
            smooth_leaves(expr, &mut |leaf| {
                if let ExprKind::Load { array, index } = &leaf.kind {
                    loads.entry(*array).or_default().push(index);
                }
            });
        }
    });
    let arrays = kernel.param_ids().filter(|(_, param)| matches!(param.kind, ParamKind::Array { .. }));
    arrays.map(|(id, _)| id).filter(|id| loads.get(id).is_none_or(|accesses| indices.are_disjoint(accesses))).collect()
}
