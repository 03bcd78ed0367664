//! Separates the moments at which an array that a kernel rewrites is read.
//!
//! The adjoint has an array as it was before the launch, and as it is after it. A load of an element that the thread
//! has not written yet gives the value from before the launch, and a load of an element that it will not write again
//! gives the value from after the launch. So `y[k] *= x` reads the old values, and `y[k + 1] = f(y[k])` reads the
//! results. This pass gives the kernel a further parameter, an alias, for the array after the launch, and turns the
//! loads of results into loads of it. Loads of other values become loads of another alias: the adjoint may have them
//! where it does not need the value, as in `y[k] = y[k] + x`, and otherwise
//! [`signature`](crate::adjoint::transform::signature) refuses the kernel.

use crate::adjoint::analyze::aliases::Aliases;
use crate::adjoint::analyze::array_classes::ArrayClass;
use crate::analysis::{Footprints, Moment, Promise};
use crate::diag::Diagnostic;
use crate::ir::{Expr, ExprKind, Kernel, Param, ParamId, PlaceRoot, Span, Stmt, StmtKind, Type};
use crate::ops::Op;
use crate::rewrite::build::{assign, binary};
use std::collections::{BTreeMap, BTreeSet};

/// Separates the moments of the arrays of class [`ArrayClass::Rewritten`].
///
/// Adds to `promises` what this rests on.
///
/// # Errors
/// A diagnostic for each call that takes such an array.
pub(crate) fn separate(
    kernel: &mut Kernel,
    classes: &BTreeMap<ParamId, ArrayClass>,
    promises: &mut BTreeSet<Promise>,
) -> Result<Aliases, Vec<Diagnostic>> {
    let is_rewritten = |array: &ParamId| classes.get(array) == Some(&ArrayClass::Rewritten);
    let mut aliases = Aliases::default();
    if !classes.values().any(|class| *class == ArrayClass::Rewritten) {
        return Ok(aliases);
    }
    let mut body = std::mem::take(&mut kernel.body);
    let elem = |array: ParamId| Some(kernel.param(array).elem()).filter(|_| is_rewritten(&array));
    body.iter_mut().for_each(|stmt| stmt.walk_mut(&mut |stmt| spell_out(stmt, &elem)));
    kernel.body = body;
    let (plain, promised) = (Footprints::of(kernel), Footprints::promised(kernel));
    let (mut moments, mut mistakes) = (BTreeMap::new(), Vec::new());
    for array in kernel.param_ids().map(|(id, _)| id).filter(is_rewritten) {
        let mut found = Moments::of(&plain, array);
        let with_promises = promised.has_promises().then(|| Moments::of(&promised, array));
        if let Some(more) = with_promises.filter(|more| *more != found) {
            promises.extend(promised.promises(array));
            found = more;
        }
        match found.of_loads {
            Ok(of) => moments.extend(of),
            Err(call) => mistakes.push(passed(kernel.param(array), call)),
        }
        if found.loads_apart {
            aliases.loads_apart.insert(array);
        }
    }
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    let mut body = std::mem::take(&mut kernel.body);
    let mut load = 0;
    for stmt in &mut body {
        stmt.walk_mut(&mut |stmt| {
            for expr in stmt.exprs_mut() {
                expr.walk_mut(&mut |expr| {
                    let ExprKind::Load { array, .. } = &mut expr.kind else { return };
                    if let Some(moment) = moments.get(&load) {
                        *array = aliases.named(kernel, *array, *moment);
                    }
                    load += 1;
                });
            }
        });
    }
    kernel.body = body;
    Ok(aliases)
}

/// What is proven of the loads of an array.
#[derive(PartialEq)]
struct Moments {
    /// The moment of each load, by its number, or the place of a call that takes the array.
    of_loads: Result<BTreeMap<u32, Moment>, Span>,
    /// Whether no two threads load the same element.
    loads_apart: bool,
}

impl Moments {
    fn of(footprints: &Footprints, array: ParamId) -> Moments {
        Moments { of_loads: footprints.moments(array), loads_apart: !footprints.loads_meet(array) }
    }
}

/// Turns `y[k] *= x` into `y[k] = y[k] * x`, so that the load shows. Additions and subtractions do not read the old value
/// as far as a derivative is concerned. `rewritten`: the type of the elements of an array that the kernel rewrites.
fn spell_out(stmt: &mut Stmt, rewritten: &dyn Fn(ParamId) -> Option<Type>) {
    let StmtKind::Update { place, op, value } = &stmt.kind else { return };
    let PlaceRoot::Element { array, .. } = place.root else { return };
    let (Some(elem), false) = (rewritten(array), matches!(op, Op::Add | Op::Sub)) else { return };
    let mut old = place.value(elem);
    old.walk_mut(&mut |expr| {
        if expr.span == Span::NONE {
            expr.span = place.span;
        }
    });
    let changed = assign(place.clone(), Expr { span: place.span, ..binary(*op, old, value.clone()) });
    stmt.kind = changed.kind;
}

fn passed(param: &Param, call: Span) -> Diagnostic {
    let name = &param.name;
    Diagnostic::new(call, format!("no exact gradient: a function reads `{name}`, and the kernel overwrites it")).help(
        format!("read the elements of `{name}` in the kernel, and pass them by value; or mark the kernel `no_grad`"),
    )
}
