//! Examination of a gradient: the strong zeros and non-finite values that make it doubtful.

use crate::adjoint::{self, Source};
use crate::data::{Arg, Argument};
use crate::interp::{Fault, Findings, Varied, run_varied};
use crate::ir::{Kernel, ParamId};
use crate::verify::VerifiedKernel;

/// An argument whose floats track whether they vary with an input.
pub type VariedArg = Argument<Varied<f32>, Varied<f64>>;

/// Runs `adjoint`, the adjoint of `kernel` with these `sources`, for a launch of `dim` that turned `before` into
/// `after`. Its numbers track whether they vary with an input. `seeds` gives the adjoint of each parameter after the
/// launch. Returns the findings and the gradients.
///
/// # Errors
/// The adjoint fails.
pub fn examine(
    kernel: &Kernel,
    adjoint: &VerifiedKernel,
    sources: &[Source],
    dim: &[usize],
    (before, after): (&[Arg], &[Arg]),
    seeds: impl FnMut(ParamId) -> Option<VariedArg>,
) -> Result<(Findings, Vec<(ParamId, VariedArg)>), Fault> {
    let inputs = |args: &[Arg]| -> Vec<VariedArg> {
        args.iter().map(|arg| arg.map_floats(|x| Varied::input(*x), |x| Varied::input(*x))).collect()
    };
    let (before, after) = (inputs(before), inputs(after));
    let mut args = adjoint::arguments(kernel, sources, &before, &after, seeds);
    let mut findings = Findings::default();
    adjoint::launch(sources, &mut args, |args| run_varied(adjoint, dim, args).map(|found| findings = found))?;
    Ok((findings, adjoint::gradients(sources, &before, &after, args)))
}
