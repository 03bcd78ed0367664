//! The gradients of a launch with their tolerances.

use super::compare::allowed_ulp;
use super::launch::{AdjointLaunches, Launch};
use super::reason::{Failure, Reason};
use kernel_ir::adjoint::{self, Backward, Source};
use kernel_ir::data::{Arg, Argument, Share};
use kernel_ir::gradcheck;
use kernel_ir::interp::{self, Computation, Number, NumberTypes, PerturbedModel, Slack};
use kernel_ir::ir::ParamId;
use kernel_ir::verify::VerifiedKernel;

/// The gradients of a launch.
#[derive(Clone, Debug)]
pub(crate) struct Gradients {
    /// The adjoint of each float array that the kernel writes to, after the launch.
    pub(crate) adj_outputs: Vec<(ParamId, Arg)>,
    /// The gradient with respect to each float parameter.
    pub(crate) gradients: Vec<(ParamId, Arg)>,
    /// The tolerances of outputs and gradients.
    pub(crate) tolerances: Tolerances,
    /// The launches of the adjoint.
    pub(crate) run: AdjointLaunches,
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
    ) -> Result<Gradients, Failure> {
        let ids = || kernel.param_ids().map(|(id, _)| id);
        let drawn: Vec<Option<Arg>> = ids().map(|id| gradcheck::weights(kernel, &launch.before, seed, id)).collect();
        let weights = |id: ParamId| drawn[id.0 as usize].clone();
        let run = launch.backward(kernel, backward, weights).map_err(|why| (Reason::AdjointFault, why))?;
        let gradients = gradients_of(backward, launch, run.gradients.after.clone());
        let tolerances = Tolerances::of(kernel, backward, launch, weights, &gradients);
        Ok(Gradients {
            tolerances: tolerances.map_err(|why| (Reason::IllConditioned, why))?,
            adj_outputs: ids().filter_map(|id| Some((id, weights(id)?))).collect(),
            gradients,
            run,
        })
    }
}

/// The tolerances of a launch and its gradients, for a machine that runs both kernel and adjoint.
#[derive(Clone, Debug)]
pub(crate) struct Tolerances {
    /// The tolerances of each argument after the launch.
    pub(crate) outputs: Vec<Arg>,
    /// The tolerances of each gradient.
    pub(crate) gradients: Vec<(ParamId, Arg)>,
}

impl Tolerances {
    /// The tolerances of `launch`, whose gradients under the output adjoints `weights` are `found`.
    ///
    /// # Errors
    /// A sentence, if outputs or gradients are ill-conditioned.
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
        let is_exact = |kernel: &VerifiedKernel| interp::is_exact(kernel) && !kernel.sums_in_blocks();
        let mut outputs = match is_exact(kernel) && is_exact(&backward.kernel) {
            true => here.iter().map(|arg| Arg::zeros(arg.ty, &arg.shape)).collect(),
            false => {
                let computation = WithAdjoint { kernel, backward, dim, before, weights };
                interp::tolerances_of(&names, &here, &slacks, &computation)?
            }
        };
        let gradients = found.iter().map(|(id, _)| *id).zip(outputs.split_off(after.len())).collect();
        Ok(Tolerances { outputs, gradients })
    }

    /// The largest tolerance of the gradients `found`, in units in the last place.
    pub(crate) fn gradients_ulp(&self, found: &[(ParamId, Arg)]) -> u64 {
        let args = |all: &[(ParamId, Arg)]| all.iter().map(|(_, arg)| arg.clone()).collect::<Vec<_>>();
        allowed_ulp(&args(found), &args(&self.gradients))
    }
}

/// A launch and its adjoint. Both run in the same perturbed model: the adjoint of `atomic_min` compares with results of
/// the kernel, and would find no winner among results of another model.
struct WithAdjoint<'a, W> {
    kernel: &'a VerifiedKernel,
    backward: &'a Backward,
    dim: &'a [usize],
    before: &'a [Arg],
    /// The output adjoints.
    weights: W,
}

impl<W: Fn(ParamId) -> Option<Arg>> Computation for WithAdjoint<'_, W> {
    fn run<S, D>(&self, model: PerturbedModel) -> Result<Vec<Argument<S, D>>, String>
    where
        S: Number + Share,
        D: Number + Share,
        (S, D): NumberTypes<S, D>,
    {
        let run = |kernel: &VerifiedKernel, args: &mut [Argument<S, D>]| {
            // The same models as in `Launch::tolerances`.
            let model = model.reassociating_if(kernel.sums_in_blocks());
            interp::run_on(Some(model), kernel, self.dim, args, interp::TRIPS, interp::row_major(self.dim))
                .map_err(|fault| fault.message)
        };
        let Backward { sources, kernel: adjoint_kernel, .. } = self.backward;
        let before: Vec<_> = self.before.iter().map(Argument::of_numbers).collect();
        let mut after = before.clone();
        run(self.kernel, &mut after)?;
        let weights = |id| Some((self.weights)(id)?.of_numbers());
        let mut args = adjoint::arguments(self.kernel, sources, &before, &after, weights);
        adjoint::launch(sources, &mut args, |args| run(adjoint_kernel, args))?;
        let gradients = adjoint::gradients(sources, &before, &after, args);
        after.extend(gradients.into_iter().map(|(_, arg)| arg));
        Ok(after)
    }
}

/// The gradients in the arguments that the adjoint left.
pub(crate) fn gradients_of(backward: &Backward, launch: &Launch, after: Vec<Arg>) -> Vec<(ParamId, Arg)> {
    adjoint::gradients(&backward.sources, &launch.before, &launch.after, after)
}
