//! The number types that a kernel and its adjoint run with in a gradient check.

use super::args::{DualArg, Wide, floats_mut};
use super::condition::perturbed_gradient;
use super::examine::examine;
use super::launch::{Failure, Launch, fault};
use super::winners;
use crate::adjoint::Backward;
use crate::data::{Arg, Argument};
use crate::interp::{Dual, Findings, Number, NumberTypes, PerturbedModel, Single, Varied, run_with};
use crate::ir::ParamId;
use crate::verify::VerifiedKernel;

/// The arguments after the launch in dual numbers with tangents `direction`. Winners of `atomic_min` and `atomic_max`
/// share the tangent. `S` stands for the kernel's `f32`.
fn duals<S: Number>(kernel: &VerifiedKernel, launch: Launch, direction: &[Vec<f64>]) -> Result<Vec<DualArg>, Failure>
where
    (S, Dual): NumberTypes<S, Dual>,
{
    let moved = |(arg, v): (&Wide, &Vec<f64>)| {
        let mut arg = arg.map_floats(|x| Dual::constant(*x), |x| Dual::constant(*x));
        if let Some(data) = floats_mut(&mut arg) {
            data.iter_mut().zip(v).for_each(|(x, v)| x.tangent = *v);
        }
        arg
    };
    let run = |kernel: &VerifiedKernel, args: &[DualArg]| -> Result<Vec<DualArg>, Failure> {
        let mut args: Vec<Argument<S, Dual>> =
            args.iter().map(|arg| arg.map_floats(|x| S::from_dual(*x), |x| *x)).collect();
        run_with(kernel, launch.dim, &mut args, launch.trips).map_err(fault)?;
        Ok(args.iter().map(|arg| arg.map_floats(|x| x.to_dual(), |x| *x)).collect())
    };
    let before: Vec<DualArg> = wide(launch.args).iter().zip(direction).map(moved).collect();
    let mut after = run(kernel, &before)?;
    winners::share(kernel, &before, &mut after, &run)?;
    Ok(after)
}

/// The parts of a gradient check that depend on the number types of the arguments.
pub(super) trait Numbers: Sized {
    fn widen(&self) -> Wide;
    fn narrow(wide: &Wide) -> Self;
    /// The arguments after the launch in dual numbers whose values have these types.
    fn duals(kernel: &VerifiedKernel, launch: Launch, direction: &[Vec<f64>]) -> Result<Vec<DualArg>, Failure>;
    /// The findings for the gradient of the launch that turned the first arguments into the second; no findings unless
    /// the types are the declared ones.
    fn findings(
        kernel: &VerifiedKernel,
        backward: &Backward,
        launch: Launch,
        arguments: (&[Self], &[Self]),
        seeds: &dyn Fn(ParamId) -> Option<Wide>,
    ) -> Result<Findings, Failure>;
    /// The gradient of the launch in each perturbed model of reassociation; empty if the check does not model rounding.
    fn when_rounded_otherwise(
        kernel: &VerifiedKernel,
        backward: &Backward,
        launch: Launch,
        before: &[Self],
        seeds: &dyn Fn(ParamId) -> Option<Wide>,
    ) -> Vec<Vec<(ParamId, Wide)>>;
}

impl Numbers for Arg {
    fn widen(&self) -> Wide {
        self.map_floats(|x| f64::from(*x), |x| *x)
    }

    fn narrow(wide: &Wide) -> Arg {
        wide.map_floats(|x| *x as f32, |x| *x)
    }

    fn duals(kernel: &VerifiedKernel, launch: Launch, direction: &[Vec<f64>]) -> Result<Vec<DualArg>, Failure> {
        duals::<Single>(kernel, launch, direction)
    }

    fn findings(
        kernel: &VerifiedKernel,
        backward: &Backward,
        launch: Launch,
        (before, after): (&[Arg], &[Arg]),
        seeds: &dyn Fn(ParamId) -> Option<Wide>,
    ) -> Result<Findings, Failure> {
        let seed = |id| Some(seeds(id)?.map_floats(|x| Varied::constant(*x as f32), |x| Varied::constant(*x)));
        examine(kernel, &backward.kernel, &backward.sources, launch.dim, (before, after), seed)
            .map(|(findings, _)| findings)
            .map_err(fault)
    }

    fn when_rounded_otherwise(
        kernel: &VerifiedKernel,
        backward: &Backward,
        launch: Launch,
        before: &[Arg],
        seeds: &dyn Fn(ParamId) -> Option<Wide>,
    ) -> Vec<Vec<(ParamId, Wide)>> {
        let seeds = |id| seeds(id).as_ref().map(Numbers::narrow);
        let gradient = |model| perturbed_gradient(kernel, backward, (launch.dim, before), model, &seeds);
        let widened = |gradient: Vec<(ParamId, Arg)>| gradient.iter().map(|(id, arg)| (*id, arg.widen())).collect();
        PerturbedModel::reassociating().filter_map(gradient).map(widened).collect()
    }
}

impl Numbers for Wide {
    fn widen(&self) -> Wide {
        self.clone()
    }

    fn narrow(wide: &Wide) -> Wide {
        wide.clone()
    }

    fn duals(kernel: &VerifiedKernel, launch: Launch, direction: &[Vec<f64>]) -> Result<Vec<DualArg>, Failure> {
        duals::<Dual>(kernel, launch, direction)
    }

    fn findings(
        _: &VerifiedKernel,
        _: &Backward,
        _: Launch,
        _: (&[Wide], &[Wide]),
        _: &dyn Fn(ParamId) -> Option<Wide>,
    ) -> Result<Findings, Failure> {
        Ok(Findings::default())
    }

    fn when_rounded_otherwise(
        _: &VerifiedKernel,
        _: &Backward,
        _: Launch,
        _: &[Wide],
        _: &dyn Fn(ParamId) -> Option<Wide>,
    ) -> Vec<Vec<(ParamId, Wide)>> {
        Vec::new()
    }
}

pub(super) fn wide(args: &[Arg]) -> Vec<Wide> {
    args.iter().map(Numbers::widen).collect()
}
