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
//! - [`ArrayClass::Rewritten`]: read and written, at indices that may change within a thread, where no thread accesses an
//!   element that another one writes. A load may be one of a value from before the launch, from after it, or from between
//!   ([`moments`](crate::adjoint::normalize::moments)).
//! - [`ArrayClass::Opaque`]: written integers, with any accesses. The adjoint does not use them.
//!
//! Any other use of a float array is refused. The adjoint has the array only as it was before the launch or after it, but
//! a read may have seen a value in between, written by another thread. [`Footprints`] proves that threads do not meet.

use super::activity::smooth_leaves;
use super::aliases::Aliases;
use crate::analysis::{Access, AccessKind, Footprints, Indices, Meeting, Promise, accesses, written};
use crate::diag::Diagnostic;
use crate::ir::{AtomicOp, Expr, ExprKind, Kernel, Param, ParamId, ParamKind, Place, PlaceRoot, Shape, Span, Type};
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

/// The use of a mutable array by a launch. The module doc defines the classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArrayClass {
    Linear,
    Extremum,
    ReadOnly,
    Owned,
    Rewritten,
    Opaque,
}

/// The class of each array, and what the classes rest on.
type Classes = (BTreeMap<ParamId, ArrayClass>, BTreeSet<Promise>);

/// The kernel with what is known of its indices.
struct Code<'a> {
    kernel: &'a Kernel,
    indices: Indices<'a>,
    footprints: OnceCell<Footprints>,
    /// The same, where what the domains of arrays say is taken to be true.
    promised: OnceCell<Footprints>,
    /// What the classes rest on.
    promises: RefCell<BTreeSet<Promise>>,
}

impl Code<'_> {
    /// Two accesses by which threads may meet at an element of `array`, one of them a write. `all`: the indices of the
    /// accesses to the array.
    fn meeting(&self, array: ParamId, all: &[&[Expr]]) -> Option<Meeting> {
        // Most arrays are indexed by thread, which shows without a proof.
        if self.indices.are_disjoint(all) {
            return None;
        }
        let meeting = self.footprints.get_or_init(|| Footprints::of(self.kernel)).meeting(array)?;
        let promised = self.promised.get_or_init(|| Footprints::promised(self.kernel));
        if !promised.has_promises() || promised.meeting(array).is_some() {
            return Some(meeting);
        }
        self.promises.borrow_mut().extend(promised.promises(array));
        None
    }
}

/// The class of every mutable array of `kernel`, and the promises on which they rest.
///
/// # Errors
/// A diagnostic for each array whose adjoint would not be exact.
pub(crate) fn classify(kernel: &Kernel) -> Result<Classes, Vec<Diagnostic>> {
    let (footprints, promised) = (OnceCell::new(), OnceCell::new());
    let code = Code { kernel, indices: Indices::of(kernel), footprints, promised, promises: RefCell::default() };
    let accesses = accesses(kernel);
    let mut classes = BTreeMap::new();
    let mut mistakes = Vec::new();
    for (id, _) in kernel.param_ids().filter(|(_, param)| param.is_mutable()) {
        let accesses = accesses.get(&id).map_or(&[][..], Vec::as_slice);
        match class(id, accesses, &code) {
            Ok(class) => {
                classes.insert(id, class);
            }
            Err(mistake) => mistakes.push(mistake),
        }
    }
    if mistakes.is_empty() { Ok((classes, code.promises.into_inner())) } else { Err(mistakes) }
}

fn class(id: ParamId, accesses: &[Access<'_>], code: &Code<'_>) -> Result<ArrayClass, Diagnostic> {
    let (param, indices) = (code.kernel.param(id), &code.indices);
    let first = |wanted: &dyn Fn(AccessKind) -> bool| accesses.iter().find(|access| wanted(access.kind));
    let is_atomic = |kind| matches!(kind, AccessKind::Atomic(_));
    let read = first(&|kind| matches!(kind, AccessKind::Read | AccessKind::Change));
    let write = first(&|kind| kind != AccessKind::Read);
    let (Some(read), Some(_)) = (read, write) else {
        return match (write, param.elem().is_float()) {
            (None, _) => Ok(ArrayClass::ReadOnly),
            (Some(_), false) => Ok(ArrayClass::Opaque),
            (Some(_), true) => without_reads(id, accesses, code),
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
    if is_owned && indices.are_distinguished(&all) {
        return Ok(ArrayClass::Owned);
    }
    let meeting = first(&is_atomic).is_none().then(|| code.meeting(id, &all));
    match (param.elem().is_float(), meeting) {
        (_, Some(None)) => Ok(ArrayClass::Rewritten),
        (true, Some(Some(meeting))) => Err(clash(id, meeting, code, accesses)),
        (false, _) | (true, None) => Ok(ArrayClass::Opaque),
    }
}

/// The class of a float array that is written and not read.
fn without_reads(id: ParamId, accesses: &[Access<'_>], code: &Code<'_>) -> Result<ArrayClass, Diagnostic> {
    let param = code.kernel.param(id);
    let atomics: Vec<(AtomicOp, &Access<'_>)> = accesses
        .iter()
        .filter_map(|access| match access.kind {
            AccessKind::Atomic(op) => Some((op, access)),
            AccessKind::Read | AccessKind::Write | AccessKind::Accumulate | AccessKind::Change => None,
        })
        .collect();
    let Some((op, first)) = atomics.first() else {
        let all: Vec<&[Expr]> = accesses.iter().map(|access| access.index).collect();
        let assigns = accesses.iter().any(|access| access.kind == AccessKind::Write);
        return match code.meeting(id, &all) {
            None => Ok(ArrayClass::Linear),
            Some(meeting) if assigns => Err(race(id, meeting, code, accesses)),
            Some(meeting) => Err(lost_addition(id, meeting, code, accesses)),
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
fn race(id: ParamId, meeting: Meeting, code: &Code<'_>, accesses: &[Access<'_>]) -> Diagnostic {
    let name = &code.kernel.param(id).name;
    let [one, other] = meeting.places;
    let message = format!("no exact gradient: several threads may assign the same element of `{name}`");
    Diagnostic::new(one, message)
        .related(other, "another thread may write the same element here")
        .help(format!("assign `{name}` at {}; or mark the kernel `no_grad`", apart(id, accesses, code)))
}

/// The diagnostic for an element to which several threads may add without an atomic operation.
fn lost_addition(id: ParamId, meeting: Meeting, code: &Code<'_>, accesses: &[Access<'_>]) -> Diagnostic {
    let name = &code.kernel.param(id).name;
    let [one, other] = meeting.places;
    let message =
        format!("no exact gradient: several threads may add to the same element of `{name}`, and lose additions");
    Diagnostic::new(one, message).related(other, "another thread may add to the same element here").help(format!(
        "use `atomic_add` or `atomic_sub`; or add to `{name}` at {}; or mark the kernel `no_grad`",
        apart(id, accesses, code)
    ))
}

/// The diagnostic for a read of an element that another thread may overwrite.
fn clash(id: ParamId, meeting: Meeting, code: &Code<'_>, accesses: &[Access<'_>]) -> Diagnostic {
    if !meeting.is_read {
        return race(id, meeting, code, accesses);
    }
    let name = &code.kernel.param(id).name;
    let [read, write] = meeting.places;
    Diagnostic::new(
        read,
        format!("no exact gradient: a thread may read an element of `{name}` that another thread writes"),
    )
    .related(write, "another thread may write the same element here")
    .help(format!(
        "write to another array; or access `{name}` at {}; or mark the kernel `no_grad`",
        apart(id, accesses, code)
    ))
}

/// How the accesses to an array can be told apart, for a message.
fn apart(id: ParamId, accesses: &[Access<'_>], code: &Code<'_>) -> String {
    let param = code.kernel.param(id);
    let name = &param.name;
    let mut ways = match param.rank() {
        0 | 1 => vec![format!(
            "an index that no other thread uses, such as `{name}[tid()]`, or `{name}[tid() * n + k]` with `k` below `n`"
        )],
        _ => vec![format!("indices that no other thread uses, such as `{name}[[tid(), k]]`")],
    };
    let through = code.footprints.get().map(|footprints| footprints.index_arrays(id)).unwrap_or_default();
    let unnamed = |id: &ParamId| code.kernel.param(*id).domain.as_ref().is_none_or(|domain| domain.structure.is_none());
    if let Some(array) = through.into_iter().find(unnamed) {
        ways.push(format!(
            "or say at `{}` that no two of its elements are equal, by `#[domain(permutation)]` or \
             `#[domain(a..b, distinct)]`, or that they ascend, by `#[domain(a..b, offsets)]`",
            code.kernel.param(array).name
        ));
    }
    let is_fixed = |access: &Access<'_>| access.index.iter().all(|index| code.indices.is_same_for_all(index));
    if accesses.iter().any(is_fixed) {
        ways.push("or in one thread alone, under `if tid() == 0 { … }`".to_owned());
    }
    ways.join("; ")
}

/// Refuses arrays that a kernel reads and writes, and of which it loads or stores tiles: the passes behind this one look at
/// single elements of such arrays.
///
/// # Errors
/// A diagnostic for each access to a tile of them.
pub(crate) fn check_tiles(kernel: &Kernel, classes: &BTreeMap<ParamId, ArrayClass>) -> Result<(), Vec<Diagnostic>> {
    let mut mistakes = Vec::new();
    let mut check = |array: ParamId, ty: Type, span: Span| {
        if !ty.is_tile() || !matches!(classes.get(&array), Some(ArrayClass::Owned | ArrayClass::Rewritten)) {
            return;
        }
        let name = &kernel.param(array).name;
        let message = format!("no exact gradient: the kernel reads and writes `{name}`, and this is a tile of it");
        let help = format!("write to another array than `{name}`, or mark the kernel `no_grad`");
        mistakes.push(Diagnostic::new(span, message).help(help));
    };
    kernel.walk_stmts(&mut |stmt| {
        if let Some(Place { root: PlaceRoot::Element { array, .. }, ty, span, .. }) = stmt.place() {
            check(*array, *ty, *span);
        }
        stmt.walk_exprs(&mut |expr| {
            if let ExprKind::Load { array, .. } = &expr.kind {
                check(*array, expr.ty, expr.span);
            }
        });
    });
    if mistakes.is_empty() { Ok(()) } else { Err(mistakes) }
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

/// The arrays whose smooth loads in different threads are disjoint. Their adjoints need no atomic additions. A load of an
/// alias is one of its array.
pub(crate) fn exclusive(kernel: &Kernel, aliases: &Aliases) -> BTreeSet<ParamId> {
    let indices = Indices::of(kernel);
    let mut loads: BTreeMap<ParamId, Vec<&[Expr]>> = BTreeMap::new();
    kernel.walk_stmts(&mut |stmt| {
        for expr in stmt.exprs() {
            smooth_leaves(expr, &mut |leaf| {
                if let ExprKind::Load { array, index } = &leaf.kind {
                    loads.entry(aliases.array(*array)).or_default().push(index);
                }
            });
        }
    });
    let arrays = kernel.param_ids().filter(|(_, param)| matches!(param.kind, ParamKind::Array { .. }));
    let is_exclusive = |id: &ParamId| loads.get(id).is_none_or(|accesses| indices.are_disjoint(accesses));
    arrays.map(|(id, _)| id).filter(|id| aliases.loads_apart.contains(id) || is_exclusive(id)).collect()
}
