//! The gradients of a record: how they are computed, and how they are proven.

use crate::judges::Launch;
use crate::model::compare::{agreement, all_finite, allowed_ulp};
use crate::model::record::{AdjointCheck, Agreement, Reason};
use crate::panics;
use kernel_ir::adjoint::{self, Backward, Source};
use kernel_ir::data::Arg;
use kernel_ir::gradcheck::{self, Failure, dot_product, dot_product_rounded};
use kernel_ir::interp::{self, Slack};
use kernel_ir::ir::ParamId;
use kernel_ir::verify::VerifiedKernel;
use kernel_rt::CpuVersion;

/// The gradients of a launch.
#[derive(Clone, Debug)]
pub(crate) struct Gradients {
    /// The adjoint of each float array that the kernel writes to, after the launch.
    pub(crate) adj_outputs: Vec<(ParamId, Arg)>,
    /// The gradient with respect to each float parameter.
    pub(crate) gradients: Vec<(ParamId, Arg)>,
    /// How far results and gradients may be from those of another machine.
    pub(crate) tolerances: Tolerances,
    /// The launch of the adjoint.
    pub(crate) run: Launch,
}

impl Gradients {
    /// Runs the adjoint of `kernel` for `launch`, with the adjoints of the outputs drawn by `seed`.
    ///
    /// # Errors
    /// The adjoint does not run, or the gradients are ill-conditioned.
    pub(crate) fn of(
        kernel: &VerifiedKernel,
        backward: &Backward,
        launch: &Launch,
        seed: u64,
    ) -> Result<Gradients, (Reason, String)> {
        let ids = || kernel.param_ids().map(|(id, _)| id);
        let drawn: Vec<Option<Arg>> = ids().map(|id| gradcheck::weights(kernel, &launch.before, seed, id)).collect();
        let weights = |id: ParamId| drawn[id.0 as usize].clone();
        let run = launch.backward(kernel, backward, weights).map_err(|why| (Reason::AdjointFault, why))?;
        let gradients = gradients(backward, launch, run.after.clone());
        let tolerances = Tolerances::of(kernel, backward, launch, weights, &gradients);
        Ok(Gradients {
            tolerances: tolerances.map_err(|why| (Reason::IllConditioned, why))?,
            adj_outputs: ids().filter_map(|id| Some((id, weights(id)?))).collect(),
            gradients,
            run,
        })
    }
}

/// How far the numbers of a launch and of its gradients may be from those of another machine, which runs both the kernel and
/// the adjoint.
#[derive(Clone, Debug)]
pub(crate) struct Tolerances {
    /// Of each argument after the launch.
    pub(crate) outputs: Vec<Arg>,
    /// Of each gradient.
    pub(crate) gradients: Vec<(ParamId, Arg)>,
}

impl Tolerances {
    /// Those of `launch`, whose gradients are `found` under these `weights`.
    ///
    /// # Errors
    /// Results or gradients are ill-conditioned: a sentence.
    pub(crate) fn of(
        kernel: &VerifiedKernel,
        backward: &Backward,
        launch: &Launch,
        weights: impl Fn(ParamId) -> Option<Arg>,
        found: &[(ParamId, Arg)],
    ) -> Result<Tolerances, String> {
        let Launch { dim, before, after } = launch;
        let here: Vec<Arg> = after.iter().chain(found.iter().map(|(_, arg)| arg)).cloned().collect();
        let outputs = kernel.params.iter().map(|param| param.name.clone());
        let names: Vec<String> =
            outputs.chain(found.iter().map(|(id, _)| format!("adj_{}", kernel.param(*id).name))).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let run = |machine, kernel: &VerifiedKernel, args: &mut [Arg]| {
            interp::run_on(Some(machine), kernel, dim, args, interp::TRIPS, interp::row_major(dim))
                .map_err(|fault| fault.message)
        };
        let of_gradient = |id: ParamId| {
            let output = Slack::of(kernel, id);
            let adjoint =
                backward.sources.iter().zip(backward.kernel.param_ids()).find(|(of, _)| **of == Source::Adjoint(id));
            adjoint.map_or(output, |(_, (place, _))| {
                let gradient = Slack::of(&backward.kernel, place);
                Slack { times: gradient.times.max(output.times), ..gradient }
            })
        };
        let of_outputs = kernel.param_ids().map(|(id, _)| Slack::of(kernel, id));
        let slacks: Vec<Slack> = of_outputs.chain(found.iter().map(|(id, _)| of_gradient(*id))).collect();
        let mut outputs = match interp::is_exact(kernel) && interp::is_exact(&backward.kernel) {
            true => here.iter().map(|arg| Arg::zeros(arg.ty, &arg.shape)).collect(),
            false => interp::tolerances_of(&names, &here, &slacks, |machine| {
                let mut after = before.clone();
                run(machine, kernel, &mut after)?;
                let mut args = adjoint::arguments(kernel, &backward.sources, before, &after, &weights);
                run(machine, &backward.kernel, &mut args)?;
                let gradients = adjoint::gradients(&backward.sources, &backward.extrema, before, &after, args);
                after.extend(gradients.into_iter().map(|(_, arg)| arg));
                Ok(after)
            })?,
        };
        let gradients = found.iter().map(|(id, _)| *id).zip(outputs.split_off(after.len())).collect();
        Ok(Tolerances { outputs, gradients })
    }

    /// The largest distance that is allowed to the gradients `found`, in units in the last place.
    pub(crate) fn gradients_ulp(&self, found: &[(ParamId, Arg)]) -> u64 {
        let args = |all: &[(ParamId, Arg)]| all.iter().map(|(_, arg)| arg.clone()).collect::<Vec<_>>();
        allowed_ulp(&args(found), &args(&self.gradients))
    }
}

/// The gradients of `launch`, held against dual numbers and against the CPU version of the adjoint, if there is one.
///
/// # Errors
/// What disagrees or fails.
pub(crate) fn prove(
    kernel: &VerifiedKernel,
    backward: &Backward,
    launch: &Launch,
    seed: u64,
    cpu: Option<CpuVersion>,
) -> Result<(Gradients, AdjointCheck), (Reason, String)> {
    let found = Gradients::of(kernel, backward, launch, seed)?;
    if found.gradients.iter().any(|(_, arg)| !all_finite(std::slice::from_ref(arg))) {
        return Err((Reason::NotFinite, "a gradient is infinite or NaN".to_owned()));
    }
    let (error_f64, error_as_declared) = against_dual_numbers(kernel, backward, launch)?;
    let interpreter_vs_cpu = match cpu {
        Some(cpu) => Some(against_cpu(backward, &found.run, cpu)?),
        None => None,
    };
    let allowed_ulp = found.tolerances.gradients_ulp(&found.gradients);
    let check = AdjointCheck {
        error_f64,
        bound_f64: gradcheck::TOLERANCE,
        error_as_declared,
        bound_as_declared: gradcheck::tolerance_as_declared(kernel),
        allowed_ulp,
        interpreter_vs_cpu,
    };
    Ok((found, check))
}

/// The gradients that the adjoint left in its arguments.
pub(crate) fn gradients(backward: &Backward, launch: &Launch, after: Vec<Arg>) -> Vec<(ParamId, Arg)> {
    adjoint::gradients(&backward.sources, &backward.extrema, &launch.before, &launch.after, after)
}

/// The relative errors of ⟨v, Jᵀ·w⟩ against ⟨J·v, w⟩, the latter by dual numbers in f64: with the adjoint in f64, and in
/// the types that it declares.
pub(crate) fn against_dual_numbers(
    kernel: &VerifiedKernel,
    backward: &Backward,
    launch: &Launch,
) -> Result<(f64, f64), (Reason, String)> {
    let Launch { dim, before, .. } = launch;
    // Whoever proves a record again draws the same direction.
    let launch = gradcheck::Launch { dim, args: before, trips: interp::TRIPS, seed: 0 };
    let run = |args: &mut [Arg]| interp::run(&backward.kernel, dim, args).map_err(|fault| fault.message);
    let failed = |failure, mismatch| match failure {
        Failure::Fault(why) => (Reason::AdjointFault, why),
        Failure::Undefined(why) | Failure::NotFinite(why) => (Reason::NotFinite, why),
        Failure::Mismatch(why) => (mismatch, why),
    };
    let exact = dot_product(kernel, backward, launch).map_err(|failure| failed(failure, Reason::AdjointMismatch))?;
    // The adjoint is right: what is wrong is what rounding makes of it.
    let rounded = dot_product_rounded(kernel, backward, launch, run);
    Ok((exact, rounded.map_err(|failure| failed(failure, Reason::IllConditioned))?))
}

/// The launch `run` of the adjoint, by the interpreter, against the CPU version.
pub(crate) fn against_cpu(backward: &Backward, run: &Launch, cpu: CpuVersion) -> Result<Agreement, (Reason, String)> {
    let allowed = run.tolerances(&backward.kernel).map_err(|why| (Reason::IllConditioned, why))?;
    let mut args = run.before.clone();
    panics::caught(|| cpu(&run.dim, &mut args).map_err(|error| error.to_string()))
        .flatten()
        .map_err(|why| (Reason::CpuFailed, format!("the adjoint: {why}")))?;
    let names = backward.kernel.params.iter().map(|param| param.name.as_str());
    agreement(names, &args, &run.after, &allowed).map_err(|why| (Reason::Mismatch, format!("the adjoint: {why}")))
}
