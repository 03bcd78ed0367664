//! The gradients of a record: their computation, and their proof by dual numbers and by the CPU version of the adjoint.

use crate::model::{
    AdjointCheck, AdjointErrors, AdjointLaunches, Agreement, Failure, Gradients, Launch, Reason, Tolerances, agreement,
    all_finite, gradients_of, not_finite,
};
use crate::panics;
use kernel_ir::adjoint::Backward;
use kernel_ir::data::Arg;
use kernel_ir::gradcheck::{self, dot_product, dot_product_rounded};
use kernel_ir::interp;
use kernel_ir::ir::ParamId;
use kernel_ir::verify::VerifiedKernel;
use kernel_rt::CpuVersion;

/// Computes the gradients of `launch` and compares them with dual numbers and, if `cpu` is given, with the CPU version
/// of the adjoint.
///
/// # Errors
/// The comparison that disagrees, or the launch that fails.
pub(crate) fn prove(
    kernel: &VerifiedKernel,
    backward: &Backward,
    launch: &Launch,
    seed: u64,
    cpu: Option<CpuVersion>,
) -> Result<(Gradients, AdjointCheck), Failure> {
    let found = Gradients::of(kernel, backward, launch, seed)?;
    finite(backward, &found.run, &found.gradients)?;
    let seeds = |id| found.adj_outputs.iter().find(|(of, _)| *of == id).map(|(_, arg)| arg.clone());
    let check = measured(kernel, backward, launch, seeds, (&found.gradients, &found.tolerances))?;
    let interpreter_vs_cpu = cpu.map(|cpu| against_cpu(backward, &found.run, cpu)).transpose()?;
    Ok((found, AdjointCheck { interpreter_vs_cpu, ..check }))
}

/// Measures the `gradients` of `launch`, which come with their tolerances: compares the adjoint with dual numbers, and
/// computes the condition. `seeds` gives the adjoint of each output. The CPU version of the adjoint has no part in it.
///
/// # Errors
/// The comparison that disagrees, or the launch that fails.
pub(crate) fn measured(
    kernel: &VerifiedKernel,
    backward: &Backward,
    launch: &Launch,
    seeds: impl Fn(ParamId) -> Option<Arg>,
    (gradients, tolerances): (&[(ParamId, Arg)], &Tolerances),
) -> Result<AdjointCheck, Failure> {
    let (error_f64, error_as_declared) = against_dual_numbers(kernel, backward, launch)?;
    Ok(AdjointCheck {
        error_f64,
        bound_f64: gradcheck::TOLERANCE,
        error_as_declared,
        bound_as_declared: gradcheck::tolerance_as_declared(kernel),
        allowed_ulp: tolerances.gradients_ulp(gradients),
        condition: gradcheck::condition(kernel, backward, (&launch.dim, &launch.before), seeds, gradients),
        interpreter_vs_cpu: None,
    })
}

/// The gradients of a launch, compared with other ways to compute them.
pub(crate) struct Compared {
    pub(crate) run: AdjointLaunches,
    pub(crate) gradients: Vec<(ParamId, Arg)>,
    pub(crate) errors: AdjointErrors,
}

/// Computes the gradients of `launch` with their errors, but without tolerances. The arguments are those of [`prove`].
///
/// # Errors
/// Those of [`prove`], except for the tolerances.
pub(crate) fn compare(
    kernel: &VerifiedKernel,
    backward: &Backward,
    launch: &Launch,
    seed: u64,
    cpu: Option<CpuVersion>,
) -> Result<Compared, Failure> {
    let weights = |id| gradcheck::weights(kernel, &launch.before, seed, id);
    let run = launch.backward(kernel, backward, weights).map_err(|why| (Reason::AdjointFault, why))?;
    let gradients = gradients_of(backward, launch, run.gradients.after.clone());
    finite(backward, &run, &gradients)?;
    let errors = errors(kernel, backward, launch, &run, cpu)?;
    Ok(Compared { run, gradients, errors })
}

fn finite(backward: &Backward, run: &AdjointLaunches, gradients: &[(ParamId, Arg)]) -> Result<(), Failure> {
    if gradients.iter().all(|(_, arg)| all_finite(std::slice::from_ref(arg))) {
        return Ok(());
    }
    let Launch { dim, before, after } = &run.gradients;
    let why = not_finite(&backward.kernel, dim, before, after).unwrap_or_default();
    Err((Reason::NotFinite, format!("the adjoint: {why}")))
}

/// The errors of the adjoint that `run` runs after `launch`.
fn errors(
    kernel: &VerifiedKernel,
    backward: &Backward,
    launch: &Launch,
    run: &AdjointLaunches,
    cpu: Option<CpuVersion>,
) -> Result<AdjointErrors, Failure> {
    let (error_f64, error_as_declared) = against_dual_numbers(kernel, backward, launch)?;
    let interpreter_vs_cpu = match cpu {
        Some(cpu) => unless_ill_conditioned(against_cpu(backward, run, cpu))?,
        None => None,
    };
    Ok(AdjointErrors { error_f64, error_as_declared, interpreter_vs_cpu })
}

/// The outcome of a comparison with the CPU version; `None` if the launch is ill-conditioned. Such a launch must not be
/// replaced by another one: a machine without the CPU version would keep it.
pub(super) fn unless_ill_conditioned<T>(compared: Result<T, Failure>) -> Result<Option<T>, Failure> {
    match compared {
        Err((Reason::IllConditioned, _)) => Ok(None),
        other => other.map(Some),
    }
}

/// The relative errors of ⟨v, Jᵀ·w⟩ against ⟨J·v, w⟩. Dual numbers in f64 compute the latter. The first error is that
/// of the adjoint in f64, the second that of the adjoint in its declared types.
fn against_dual_numbers(kernel: &VerifiedKernel, backward: &Backward, launch: &Launch) -> Result<(f64, f64), Failure> {
    let Launch { dim, before, .. } = launch;
    // A constant seed, so that `check` draws the same direction `v` as `make` did.
    let launch = gradcheck::Launch { dim, args: before, trips: interp::TRIPS, seed: 0 };
    let run = |args: &mut [Arg]| interp::run(&backward.kernel, dim, args).map_err(|fault| fault.message);
    let failed = |failure, mismatch| match failure {
        gradcheck::Failure::Fault(why) => (Reason::AdjointFault, why),
        gradcheck::Failure::ComputedZero(site) => {
            (Reason::ComputedZero, format!("a computed zero meets an infinite derivative: {site}"))
        }
        gradcheck::Failure::Undefined(why) | gradcheck::Failure::NotFinite(why) => (Reason::NotFinite, why),
        gradcheck::Failure::IllConditioned(why) => (Reason::IllConditioned, why),
        gradcheck::Failure::Mismatch(why) => (mismatch, why),
    };
    let exact = dot_product(kernel, backward, launch).map_err(|failure| failed(failure, Reason::AdjointMismatch))?;
    // The adjoint has just been proven in f64. So a mismatch in the declared types is a rounding error.
    let rounded = dot_product_rounded(kernel, backward, launch, run);
    Ok((exact, rounded.map_err(|failure| failed(failure, Reason::IllConditioned))?))
}

/// Compares the launches `run` of the adjoint, by the interpreter over std, with the CPU version.
///
/// The counts of winners must be equal. The results that they are compared with come from another math library, but
/// both sides use the same ones.
pub(crate) fn against_cpu(backward: &Backward, run: &AdjointLaunches, cpu: CpuVersion) -> Result<Agreement, Failure> {
    let exactly = |launch: &Launch| launch.after.iter().map(|arg| Arg::zeros(arg.ty, &arg.shape)).collect();
    let counting = run.counting.as_ref().map(|launch| one_against_cpu(backward, launch, exactly(launch), cpu));
    let allowed = run.gradients.tolerances(&backward.kernel).map_err(|why| (Reason::IllConditioned, why))?;
    let gradients = one_against_cpu(backward, &run.gradients, allowed, cpu)?;
    Ok(counting.transpose()?.map_or(gradients, |counting| counting.and(gradients)))
}

/// Compares one launch of the adjoint. Each number may differ by its entry in `allowed`.
fn one_against_cpu(
    backward: &Backward,
    run: &Launch,
    allowed: Vec<Arg>,
    cpu: CpuVersion,
) -> Result<Agreement, Failure> {
    let mut over_std = run.before.clone();
    interp::run_over_std(&backward.kernel, &run.dim, &mut over_std)
        .map_err(|fault| (Reason::AdjointFault, fault.message))?;
    let mut args = run.before.clone();
    panics::caught(|| cpu(&run.dim, &mut args).map_err(|error| error.to_string()))
        .flatten()
        .map_err(|why| (Reason::CpuFailed, format!("the adjoint: {why}")))?;
    let names = backward.kernel.params.iter().map(|param| param.name.as_str());
    agreement(names, &args, &over_std, &allowed).map_err(|why| (Reason::Mismatch, format!("the adjoint: {why}")))
}
