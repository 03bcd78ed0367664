//! The passes that make an adjoint, in order.

use super::analyze::activity::Activity;
use super::analyze::array_classes;
use super::analyze::atomic_results::AtomicResults;
use super::analyze::magnitude;
use super::backward::Backward;
use super::cleanup::{copy_propagation, dead_code};
use super::normalize::{eliminate_returns, inline, lower_selects, scalar_promotion};
use super::transform::context::{Adjoint, Facts};
use super::transform::{parameter_sums, reverse, signature};
use crate::diag::Diagnostic;
use crate::ir::Kernel;
use crate::verify::VerifiedKernel;

type Result<T> = std::result::Result<T, Vec<Diagnostic>>;

/// What passes work on.
struct State {
    /// The kernel; without its body once that has been reversed.
    source: Kernel,
    facts: Facts,
    adjoint: Adjoint,
}

/// One step from a kernel to its adjoint.
struct Pass {
    /// How the check behind it calls it, in debug builds.
    #[cfg_attr(not(debug_assertions), expect(dead_code, reason = "only checks name passes"))]
    name: &'static str,
    /// What it is for.
    #[cfg_attr(not(debug_assertions), expect(dead_code, reason = "only checks name passes"))]
    purpose: &'static str,
    run: fn(&mut State) -> Result<()>,
}

const fn pass(name: &'static str, purpose: &'static str, run: fn(&mut State) -> Result<()>) -> Pass {
    Pass { name, purpose, run }
}

/// Every pass, in order. The signature, which makes a verified kernel of the result, comes after them.
const PASSES: [Pass; 14] = [
    pass("inline", "replace calls that a derivative goes through by the code of their functions", |state| {
        inline::inline_calls(&mut state.source);
        Ok(())
    }),
    pass("eliminate_returns", "turn `return` into branches", |state| {
        eliminate_returns::eliminate_returns(&mut state.source);
        Ok(())
    }),
    pass("array_classes", "find what threads do with mutable arrays, and refuse what has no exact adjoint", |state| {
        state.facts.classes = array_classes::classify(&state.source)?;
        Ok(())
    }),
    pass("scalar_promotion", "make locals of the array elements that a thread owns", |state| {
        scalar_promotion::promote(&mut state.source, &state.facts.classes)
    }),
    pass("lower_selects", "turn `if` expressions with a derivative into statements", |state| {
        lower_selects::lower_selects(&mut state.source);
        Ok(())
    }),
    pass("activity", "find the values that a derivative goes through", |state| {
        state.facts.activity = Activity::of(&state.source);
        Ok(())
    }),
    pass("magnitudes", "find the values that are surely finite", |state| {
        state.facts.magnitudes = magnitude::of_locals(&state.source);
        Ok(())
    }),
    pass(
        "array_accesses",
        "find the arrays whose adjoints need no atomics, and where arrays are written first",
        |state| {
            state.facts.exclusive = array_classes::exclusive(&state.source);
            state.facts.writes = array_classes::first_writes(&state.source);
            Ok(())
        },
    ),
    pass("atomic_results", "refuse derivatives that go through what an atomic operation returns", |state| {
        state.facts.atomic_results = AtomicResults::of(&state.source);
        state.facts.atomic_results.check_active(&state.facts.activity)
    }),
    pass("reverse", "write the kernel forward and back", |state| {
        reverse::reverse(&mut state.source, &state.facts, &mut state.adjoint);
        Ok(())
    }),
    pass("dead_code", "remove what the way back does not read", |State { adjoint, .. }| {
        dead_code::eliminate(&mut adjoint.body, &mut adjoint.sums.values().copied().collect());
        Ok(())
    }),
    pass(
        "parameter_sums",
        "declare the sums of the adjoints of by-value parameters, and add those of all threads",
        |state| {
            parameter_sums::declare_sums(&state.source, &mut state.adjoint);
            Ok(())
        },
    ),
    pass("copy_propagation", "remove copies and zeros that only the construction needed", |state| {
        copy_propagation::propagate_copies(&mut state.adjoint.body, &mut state.adjoint.locals);
        Ok(())
    }),
    pass("unavailable_results", "refuse adjoints that read what an atomic operation returned", |state| {
        state.facts.atomic_results.check_unavailable(&state.adjoint.body, &state.adjoint.unavailable)
    }),
];

/// The adjoint that goes with `kernel`: none if its author wants none, and none if no float that it writes depends on
/// one that it reads and none is overwritten.
///
/// # Errors
/// Those of [`backward`].
pub fn differentiate(kernel: &VerifiedKernel) -> Result<Option<Backward>> {
    if kernel.no_grad {
        return Ok(None);
    }
    let backward = backward(kernel)?;
    Ok(Some(backward).filter(|backward| !backward.kernel.body.is_empty()))
}

/// The adjoint of `kernel`.
///
/// # Errors
/// What cannot be differentiated exactly, with the places in the source and what to write instead.
pub fn backward(kernel: &VerifiedKernel) -> Result<Backward> {
    derive(kernel, Facts::default())
}

/// The adjoint of `kernel` in which every product with a derivative has its guard against a zero adjoint, also where the
/// derivative is surely finite: what [`backward`] must agree with, whatever the inputs are.
///
/// # Errors
/// Those of [`backward`].
pub fn backward_with_all_guards(kernel: &VerifiedKernel) -> Result<Backward> {
    derive(kernel, Facts { all_guards: true, ..Facts::default() })
}

fn derive(kernel: &VerifiedKernel, facts: Facts) -> Result<Backward> {
    let mut state = State { source: Kernel::clone(kernel), facts, adjoint: Adjoint::default() };
    for pass in &PASSES {
        (pass.run)(&mut state)?;
        #[cfg(debug_assertions)]
        super::pass_check::check(pass.name, pass.purpose, &state.source, &state.adjoint)?;
    }
    signature::finish(&state.source, state.adjoint, &state.facts)
}
