//! The gradients of a record: how they are computed, and how they are proven.

use crate::compare::{agreement, all_finite};
use crate::facts::Facts;
use crate::judges::Launch;
use crate::panics;
use crate::record::{AdjointCheck, Agreement, Reason};
use kernel_ir::adjoint::{self, Backward};
use kernel_ir::check::CheckedKernel;
use kernel_ir::data::Arg;
use kernel_ir::gradcheck::{self, Failure, dot_product, dot_product_rounded};
use kernel_ir::interp;
use kernel_ir::ir::ParamId;
use kernel_rt::CpuVersion;

/// The gradients of a launch.
#[derive(Clone, Debug)]
pub(crate) struct Gradients {
    /// The adjoint of each float array that the kernel writes to, after the launch.
    pub(crate) adj_outputs: Vec<(ParamId, Arg)>,
    /// The gradient with respect to each float parameter.
    pub(crate) gradients: Vec<(ParamId, Arg)>,
    /// The launch of the adjoint.
    pub(crate) run: Launch,
}

impl Gradients {
    /// Runs the adjoint of `kernel` for `launch`, with the adjoints of the outputs drawn by `seed`.
    ///
    /// # Errors
    /// The adjoint does not run: a sentence.
    pub(crate) fn of(
        kernel: &CheckedKernel,
        backward: &Backward,
        launch: &Launch,
        seed: u64,
    ) -> Result<Gradients, String> {
        let weights = |id| gradcheck::weights(kernel, &launch.before, seed, id);
        let run = launch.backward(kernel, backward, weights)?;
        Ok(Gradients {
            adj_outputs: kernel.param_ids().filter_map(|(id, _)| Some((id, weights(id)?))).collect(),
            gradients: gradients(backward, launch, run.after.clone()),
            run,
        })
    }
}

/// The gradients of `launch`, held against dual numbers and against the CPU version of the adjoint, if there is one.
///
/// # Errors
/// What disagrees or fails.
pub(crate) fn prove(
    kernel: &CheckedKernel,
    backward: &Backward,
    launch: &Launch,
    seed: u64,
    cpu: Option<CpuVersion>,
) -> Result<(Gradients, AdjointCheck), (Reason, String)> {
    let found = Gradients::of(kernel, backward, launch, seed).map_err(|why| (Reason::AdjointFault, why))?;
    if found.gradients.iter().any(|(_, arg)| !all_finite(std::slice::from_ref(arg))) {
        return Err((Reason::NotFinite, "a gradient is infinite or NaN".to_owned()));
    }
    let (error_f64, error_as_declared) = against_dual_numbers(kernel, backward, launch, seed)?;
    let allowed_ulp = Facts::of(&backward.kernel).allowed_ulp;
    let interpreter_vs_cpu = match cpu {
        Some(cpu) => Some(against_cpu(backward, &found.run, allowed_ulp, cpu)?),
        None => None,
    };
    Ok((found, AdjointCheck { error_f64, error_as_declared, allowed_ulp, interpreter_vs_cpu }))
}

/// The gradients that the adjoint left in its arguments.
pub(crate) fn gradients(backward: &Backward, launch: &Launch, after: Vec<Arg>) -> Vec<(ParamId, Arg)> {
    adjoint::gradients(&backward.sources, &backward.extrema, &launch.before, &launch.after, after)
}

/// The relative errors of ⟨v, Jᵀ·w⟩ against ⟨J·v, w⟩, the latter by dual numbers in f64: with the adjoint in f64, and in
/// the types that it declares.
pub(crate) fn against_dual_numbers(
    kernel: &CheckedKernel,
    backward: &Backward,
    launch: &Launch,
    seed: u64,
) -> Result<(f64, f64), (Reason, String)> {
    let Launch { dim, before, .. } = launch;
    let launch = gradcheck::Launch { dim, args: before, trips: interp::TRIPS, seed };
    let run = |args: &mut [Arg]| interp::run(&backward.kernel, dim, args).map_err(|fault| fault.message);
    let exact = dot_product(kernel, backward, launch);
    exact.and_then(|exact| Ok((exact, dot_product_rounded(kernel, backward, launch, run)?))).map_err(|failure| {
        match failure {
            Failure::Fault(why) => (Reason::AdjointFault, why),
            Failure::Undefined(why) | Failure::NotFinite(why) => (Reason::NotFinite, why),
            Failure::Mismatch(why) => (Reason::AdjointMismatch, why),
        }
    })
}

/// The launch `run` of the adjoint, by the interpreter, against the CPU version.
pub(crate) fn against_cpu(
    backward: &Backward,
    run: &Launch,
    allowed_ulp: u64,
    cpu: CpuVersion,
) -> Result<Agreement, (Reason, String)> {
    let mut args = run.before.clone();
    panics::caught(|| cpu(&run.dim, &mut args).map_err(|error| error.to_string()))
        .flatten()
        .map_err(|why| (Reason::CpuFailed, format!("the adjoint: {why}")))?;
    let names = backward.kernel.params.iter().map(|param| param.name.as_str());
    agreement(names, &run.after, &args, allowed_ulp).map_err(|why| (Reason::Mismatch, format!("the adjoint: {why}")))
}
