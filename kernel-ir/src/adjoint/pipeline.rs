//! The pipeline from a kernel to its adjoint: the passes, in order, and the entry points.
//!
//! The order matters. Calls, branches on constants, local arrays, returns, owned array elements and `if` expressions are lowered first, because the analyses
//! and the reverse sweep expect their absence. `reverse` consumes the body of the source; the passes after it see only
//! the adjoint. In debug builds `pass_check` verifies the IR after every pass.

use super::analyze::activity::Activity;
use super::analyze::array_classes;
use super::analyze::atomic_results::AtomicResults;
use super::analyze::magnitude;
use super::backward::Backward;
use super::cleanup::copy_propagation;
use super::columns;
use super::normalize::{lower_selects, moments, scalar_promotion, split_arrays};
use super::transform::context::{Adjoint, Facts};
use super::transform::{parameter_sums, reverse, signature};
use crate::diag::Diagnostic;
use crate::ir::{Kernel, Param};
use crate::rewrite::{
    self, constant_branches, dead_code, eliminate_returns, inline, phases, shared_atomics, split_structs,
};
use crate::verify::{VerifiedKernel, tile_phases as tiles};
use std::borrow::Cow;

type Result<T> = std::result::Result<T, Vec<Diagnostic>>;

/// The state that passes read and change.
struct State {
    /// The kernel to differentiate. Its body is empty after `reverse`.
    source: Kernel,
    facts: Facts,
    adjoint: Adjoint,
}

impl State {
    /// The kernel to differentiate, with loops over the elements of tiles, so that the accesses to arrays show.
    fn by_element(&self) -> Cow<'_, Kernel> {
        if !tiles::has_tiles(&self.source) {
            return Cow::Borrowed(&self.source);
        }
        Cow::Owned(tiles::as_loops(&self.source))
    }
}

/// One pass.
struct Pass {
    /// The name that `pass_check` reports.
    #[cfg_attr(not(debug_assertions), expect(dead_code, reason = "only checks name passes"))]
    name: &'static str,
    /// The purpose that `pass_check` reports.
    #[cfg_attr(not(debug_assertions), expect(dead_code, reason = "only checks name passes"))]
    purpose: &'static str,
    run: fn(&mut State) -> Result<()>,
}

const fn pass(name: &'static str, purpose: &'static str, run: fn(&mut State) -> Result<()>) -> Pass {
    Pass { name, purpose, run }
}

/// Every pass, in order. `signature::finish` comes after them and makes a verified kernel of the result.
const PASSES: [Pass; 17] = [
    pass("inline", "replace calls that a derivative goes through by the code of their functions", |state| {
        phases::as_loops(&mut state.source);
        if let Cow::Owned(serial) = shared_atomics::as_updates(&state.source) {
            state.source = serial;
        }
        // The launch of the kernel has printed its messages.
        state.source.remove_messages();
        inline::inline_calls(&mut state.source);
        // Behind inlining, a tuple may be a variable, which the rules of the IR do not allow.
        split_structs::split_structs(&mut state.source);
        Ok(())
    }),
    pass("constant_branches", "take the branches that constants decide", |state| {
        constant_branches::take_constant_branches(&mut state.source);
        Ok(())
    }),
    pass("split_arrays", "turn local arrays into vectors", |state| split_arrays::split_arrays(&mut state.source)),
    pass("eliminate_returns", "turn `return` into branches", |state| {
        eliminate_returns::eliminate_returns(&mut state.source);
        Ok(())
    }),
    pass("array_classes", "find what threads do with mutable arrays, and refuse what has no exact adjoint", |state| {
        (state.facts.classes, state.facts.promises) = array_classes::classify(&state.by_element())?;
        array_classes::check_tiles(&state.source, &state.facts.classes)
    }),
    pass("moments", "separate loads of old values of arrays from loads of results", |state| {
        let Facts { classes, promises, .. } = &mut state.facts;
        state.facts.aliases = moments::separate(&mut state.source, classes, promises)?;
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
            state.facts.exclusive = array_classes::exclusive(&state.by_element(), &state.facts.aliases);
            state.facts.writes = array_classes::first_writes(&state.source);
            Ok(())
        },
    ),
    pass("atomic_results", "refuse derivatives that go through what an atomic operation returns", |state| {
        state.facts.atomic_results = AtomicResults::of(&state.source);
        state.facts.atomic_results.check_active(&state.facts.activity)
    }),
    pass("reverse", "write the forward sweep and the reverse sweep", |state| {
        reverse::reverse(&mut state.source, &state.facts, &mut state.adjoint);
        Ok(())
    }),
    pass("dead_code", "remove what the reverse sweep does not read", |State { adjoint, .. }| {
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

/// The adjoint of `kernel`. `None` if the kernel is marked `no_grad`, or if its adjoint would do nothing: it writes no floats,
/// or no float output depends on a float input, and no float element is overwritten.
///
/// # Errors
/// The errors of [`backward`].
pub fn differentiate(kernel: &VerifiedKernel) -> Result<Option<Backward>> {
    let is_float_output = |param: &Param| param.is_mutable() && param.elem().scalar().is_float();
    if kernel.no_grad || !kernel.params.iter().any(is_float_output) {
        return Ok(None);
    }
    let backward = backward(kernel)?;
    // Loops that end on a condition stay, also where nothing of them is needed.
    let changes = backward.kernel.params.iter().any(Param::is_mutable);
    Ok(Some(backward).filter(|_| changes))
}

/// The adjoint of `kernel`.
///
/// # Errors
/// A diagnostic for each construct that has no exact derivative, with its places in the source and a help text.
pub fn backward(kernel: &VerifiedKernel) -> Result<Backward> {
    derive(kernel, Facts::default())
}

/// The adjoint of `kernel` in which every product with a derivative is guarded against a zero adjoint, even where the
/// derivative is provably finite. Tests compare it with [`backward`]: both must give the same gradients for all inputs.
///
/// # Errors
/// The errors of [`backward`].
pub fn backward_with_all_guards(kernel: &VerifiedKernel) -> Result<Backward> {
    derive(kernel, Facts { all_guards: true, ..Facts::default() })
}

fn derive(kernel: &VerifiedKernel, facts: Facts) -> Result<Backward> {
    if !rewrite::columns::has_columns(kernel) {
        return derive_columns(kernel.with_tiles().clone(), facts);
    }
    let mut source = Kernel::clone(kernel);
    // A call that stays passes whole arrays of structs.
    inline::inline_calls(&mut source);
    let split = rewrite::columns::split(&source);
    columns::merge(kernel, &split.of, derive_columns(split.kernel, facts)?)
}

/// The adjoint of a kernel without structs among its parameters.
fn derive_columns(source: Kernel, facts: Facts) -> Result<Backward> {
    let mut state = State { source, facts, adjoint: Adjoint::default() };
    for pass in &PASSES {
        (pass.run)(&mut state)?;
        #[cfg(debug_assertions)]
        super::pass_check::check(pass.name, pass.purpose, &state.source, &state.adjoint)?;
    }
    signature::finish(&state.source, state.adjoint, &state.facts)
}
