//! Reverse-mode differentiation: from a kernel to the kernel that computes its vector-Jacobian product.
//!
//! For a launch y = f(x), where x are all float inputs (arrays, by-value parameters, the elements of mutable arrays before
//! the launch) and y the elements of mutable arrays after it, `backward` makes a kernel of the same launch size that
//! turns the adjoint of y into the adjoint of x, exactly, or says why it cannot.
//!
//! 1. The kernel is brought into a form in which order is plain: device functions in the place of their calls (`inline`),
//!    no `return` (`exits`), `if` expressions as statements
//!    (`selects`), array elements that a thread owns as locals (`own`). Arrays that would need anything else are
//!    refused (`arrays`), as is what needs the result of an atomic operation (`results`).
//! 2. `activity` finds the values that a derivative goes through, `sure` those whose adjoints are surely not zero.
//! 3. `sweep` writes the kernel forward and back, `pull` expressions by the `rules` of the table, `loops` loops.
//! 4. `live` removes what nothing needs, `polish` what only the construction needed, and `signature` gives the
//!    kernel its parameters.

mod activity;
mod arrays;
mod build;
mod exits;
mod inline;
mod launch;
mod live;
mod loops;
mod own;
mod polish;
mod pull;
mod results;
mod rules;
mod selects;
mod signature;
mod sure;
mod sweep;
#[cfg(test)]
mod tests;

use crate::diag::Diagnostic;
use crate::ir::{Kernel, ParamId};
use crate::verify::VerifiedKernel;
use activity::Activity;
pub use launch::{arguments, gradients};
use results::Results;
use sure::Certainty;
use sweep::{Facts, Sweep};

/// The adjoint of a kernel.
#[derive(Clone, Debug)]
pub struct Backward {
    /// The kernel `NAME_backward`, for launches of the same size.
    pub kernel: VerifiedKernel,
    /// What each of its parameters takes.
    pub sources: Vec<Source>,
    /// The arrays under `atomic_min` or `atomic_max`. After the launch of the adjoint the caller sets their adjoints to
    /// zero wherever the forward launch has changed the array: there the value from before did not win.
    pub extrema: Vec<ParamId>,
}

/// What a parameter of the adjoint kernel takes, in terms of the parameters of the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// The argument, an array as it was before the launch.
    Primal(ParamId),
    /// The array as it was after the launch.
    Result(ParamId),
    /// The adjoint of the parameter, of the same type and shape; of a by-value parameter, an array of one element.
    /// The kernel adds to it. For a mutable array it holds the adjoint of the array after the launch on entry, and that of
    /// the array before the launch on exit.
    Adjoint(ParamId),
}

/// The adjoint that goes with `kernel`: none if its author wants none, and none if no float that it writes depends on
/// one that it reads and none is overwritten.
///
/// # Errors
/// Those of [`backward`].
pub fn differentiate(kernel: &VerifiedKernel) -> Result<Option<Backward>, Vec<Diagnostic>> {
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
pub fn backward(kernel: &VerifiedKernel) -> Result<Backward, Vec<Diagnostic>> {
    let mut source: Kernel = Kernel::clone(kernel);
    if !kernel.functions().is_empty() {
        inline::inline_calls(&mut source);
    }
    exits::remove_returns(&mut source);
    let classes = arrays::classify(&source)?;
    own::localize(&mut source, &classes)?;
    selects::remove_selects(&mut source);
    let activity = Activity::of(&source);
    let facts = Facts {
        certainty: Certainty::of(&source, &classes, &activity),
        activity,
        exclusive: arrays::exclusive(&source),
        writes: arrays::first_writes(&source),
        classes,
    };
    let results = Results::of(&source);
    results.check_active(&facts.activity)?;

    let body = std::mem::take(&mut source.body);
    let mut sweep = Sweep::new(source, &facts);
    let mut body = sweep.reverse(&body, &sweep::Env::default());
    live::sweep(&mut body, &mut sweep.sums.values().copied().collect());
    sweep.flush_sums(&mut body);
    let Sweep { kernel: source, mut locals, lost, .. } = sweep;
    polish::polish(&mut body, &mut locals);
    results.check_lost(&body, &lost)?;
    signature::finish(&source, body, locals, &facts)
}
