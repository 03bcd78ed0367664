//! Gradient checks: adjoints compared with directional derivatives.
//!
//! For a direction v of all float inputs and weights w of all float outputs, the check computes ⟨J·v, w⟩ by running the
//! kernel with dual numbers (forward mode), and ⟨v, Jᵀ·w⟩ by running its adjoint (reverse mode). The two share nothing
//! but the kernel. This is the dot-product test of AD tools. Central differences ([`differences`]) check the dual
//! numbers in turn.

#![deny(clippy::wildcard_enum_match_arm)]

mod args;
mod condition;
mod directions;
mod examine;
mod launch;
mod numbers;
#[cfg(test)]
mod tests;
mod winners;

pub use condition::condition;
pub use directions::weights;
pub use examine::{VariedArg, examine};
pub use launch::{Failure, Launch};

use crate::adjoint::{self, Backward, arguments, gradients};
use crate::data::{Arg, Argument, Share};
use crate::interp::{self, Number, row_major, run_in_order, run_with};
use crate::ir::{FloatFormat, ParamId, Scalar, Type};
use crate::verify::VerifiedKernel;
use args::{Wide, floats, floats_mut};
use directions::{Directions, Loss, Product};
use launch::{fault, words};
use numbers::{Numbers, wide};

/// The largest relative error in f64, in terms of the sum of the magnitudes of all terms of the dot product.
pub const TOLERANCE: f64 = 1e-10;

/// The largest relative error if the adjoint computes in f32.
pub const TOLERANCE_F32: f64 = 1e-4;

/// The largest relative error if the adjoint of `kernel` computes in the declared types. With floats of 16 bits it is that of
/// f32 in units in the last place. So many units are most of such a number, so an error beyond [`TOLERANCE_F32`] must also be
/// one that perturbed models show.
pub fn tolerance_as_declared(kernel: &VerifiedKernel) -> f64 {
    let mut halves = Vec::new();
    let mut note = |ty: Type| halves.extend(ty.scalars().filter(|scalar| scalar.is_half()));
    kernel.params.iter().for_each(|param| note(param.elem()));
    for code in std::iter::once(&**kernel).chain(kernel.called().iter().map(|function| &function.code)) {
        code.walk_exprs(&mut |expr| note(expr.ty));
    }
    let has_f32 = kernel.params.iter().any(|param| param.elem().scalar() == Scalar::F32);
    let epsilons = halves.into_iter().filter_map(Scalar::format).map(FloatFormat::epsilon);
    match epsilons.reduce(f64::max) {
        Some(epsilon) => TOLERANCE_F32 * (epsilon / FloatFormat::F32.epsilon()),
        None if has_f32 => TOLERANCE_F32,
        None => TOLERANCE,
    }
}

/// A gradient may deviate by this multiple of its largest change in a perturbed model before it counts as wrong.
const ROUNDING_SLACK: f64 = 4.0;

/// The limit of an adjoint's loop trips for each trip of the kernel, because reversed loops replay iterations.
const REPLAYS: u64 = 64;

/// Compares the adjoint of `kernel` with dual numbers on one launch, all in f64. Returns the relative error.
///
/// # Errors
/// The reason why the adjoint fails the check.
pub fn dot_product(kernel: &VerifiedKernel, backward: &Backward, launch: Launch) -> Result<f64, Failure> {
    let run = |kernel: &VerifiedKernel, trips, args: &mut [Wide]| {
        run_with(kernel, launch.dim, args, trips).map_err(|why| words(&why))
    };
    judge(kernel, backward, launch, (Loss::All, TOLERANCE), &wide(launch.args), run)
}

/// Compares the adjoint of `kernel` with dual numbers on one launch in the declared types. `run` runs the adjoint: the
/// CPU version, or [`interp::run`]. The interpreter runs the kernel itself. A strong zero that rounding produced fails
/// the check.
///
/// # Errors
/// The reason why the adjoint fails the check.
pub fn dot_product_rounded(
    kernel: &VerifiedKernel,
    backward: &Backward,
    launch: Launch,
    run: impl FnMut(&mut [Arg]) -> Result<(), String>,
) -> Result<f64, Failure> {
    judge_as_declared(kernel, backward, launch, Loss::All, run)
}

/// Like [`dot_product_rounded`], for launches with infinite or NaN outputs. These do not count, and the gradient of the
/// others must be finite.
///
/// # Errors
/// The reason why the adjoint fails the check; `Undefined` if no output has a finite derivative.
pub fn dot_product_where_finite(
    kernel: &VerifiedKernel,
    backward: &Backward,
    launch: Launch,
    run: impl FnMut(&mut [Arg]) -> Result<(), String>,
) -> Result<f64, Failure> {
    judge_as_declared(kernel, backward, launch, Loss::Finite, run)
}

fn judge_as_declared(
    kernel: &VerifiedKernel,
    backward: &Backward,
    launch: Launch,
    loss: Loss,
    mut run: impl FnMut(&mut [Arg]) -> Result<(), String>,
) -> Result<f64, Failure> {
    // `judge` runs the kernel first, then the adjoint.
    let mut is_forward = true;
    let run = |kernel: &VerifiedKernel, _, args: &mut [Arg]| match std::mem::take(&mut is_forward) {
        true => interp::run(kernel, launch.dim, args).map_err(|why| words(&why)),
        false => run(args),
    };
    judge(kernel, backward, launch, (loss, tolerance_as_declared(kernel)), launch.args, run)
}

/// Compares the adjoint with dual numbers on arguments of the types `S` and `D`. `run` runs the kernel, then the
/// adjoint.
fn judge<S: Number + Share, D: Number + Share>(
    kernel: &VerifiedKernel,
    backward: &Backward,
    launch: Launch,
    (loss, tolerance): (Loss, f64),
    before: &[Argument<S, D>],
    mut run: impl FnMut(&VerifiedKernel, u64, &mut [Argument<S, D>]) -> Result<(), String>,
) -> Result<f64, Failure>
where
    Argument<S, D>: Numbers,
{
    let direction = Directions::inputs(kernel, launch);
    let mut after = before.to_vec();
    run(kernel, launch.trips, &mut after).map_err(Failure::Fault)?;
    let duals = <Argument<S, D>>::duals(kernel, launch, &direction.0)?;
    let weights = Directions::outputs(kernel, launch).of_loss(loss, &duals)?;
    let seeds = |id: ParamId| kernel.param(id).is_mutable().then(|| weights.argument(id, launch));
    let findings = Numbers::findings(kernel, backward, launch, (before, &after), &seeds)?;
    if let Some(site) = findings.computed_zero {
        return Err(Failure::ComputedZero(site));
    }
    let expected = weights.along_tangents(kernel, &duals)?;
    let mut args = arguments(kernel, &backward.sources, before, &after, |id| seeds(id).as_ref().map(Numbers::narrow));
    adjoint::launch(&backward.sources, &mut args, |args| {
        run(&backward.kernel, launch.trips.saturating_mul(REPLAYS), args)
            .map_err(|why| Failure::Fault(format!("the adjoint, {why}")))
    })?;
    let gradient = gradients(&backward.sources, before, &after, args);
    let gradient: Vec<(ParamId, Wide)> = gradient.iter().map(|(id, arg)| (*id, arg.widen())).collect();
    let found = direction.along(gradient.iter().map(|(id, arg)| (*id, arg)));
    if !found.size.is_finite() {
        let site = findings.not_finite.map_or_else(String::new, |site| format!(": {site}"));
        return Err(Failure::NotFinite(format!("the adjoint is not finite{site}")));
    }
    let error = expected.distance(found);
    if error <= tolerance.min(TOLERANCE_F32) {
        return Ok(error);
    }
    let mut message = format!("dual numbers say {:e}, the adjoint {:e}", expected.value, found.value);
    let moved = Numbers::when_rounded_otherwise(kernel, backward, launch, before, &seeds);
    let moved = moved.iter().map(|gradient| direction.along(gradient.iter().map(|(id, arg)| (*id, arg))));
    if moved.map(|other| found.distance(other)).any(|moved| ROUNDING_SLACK * moved >= error) {
        if error <= tolerance {
            return Ok(error);
        }
        return Err(Failure::IllConditioned(message));
    }
    // The message names the parameters whose own part of the derivative is wrong.
    for (id, param) in kernel.param_ids() {
        let part = direction.only(id);
        let expected = weights.along_tangents(kernel, &<Argument<S, D>>::duals(kernel, launch, &part.0)?)?;
        let found = part.along(gradient.iter().map(|(id, arg)| (*id, arg)));
        if expected.distance(found) > tolerance.min(TOLERANCE_F32) {
            message += &format!("\n  by `{}`: {:e} and {:e}", param.name, expected.value, found.value);
        }
    }
    Err(Failure::Mismatch(message))
}

/// A directional derivative by dual numbers, compared with central differences.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Differences {
    /// The derivative by dual numbers.
    pub tangent: f64,
    /// Whether central differences roughly agree.
    pub agree: bool,
    /// Whether central differences converge. They do not at a jump or a kink.
    pub converge: bool,
}

/// Compares the derivative by dual numbers with central differences. They disagree for a kernel that [has a
/// surrogate](crate::ir::Kernel::has_surrogate), whose tangent is by design not that of its function.
///
/// # Errors
/// A launch fails, or has no finite derivative.
pub fn differences(kernel: &VerifiedKernel, launch: Launch) -> Result<Differences, Failure> {
    // The smaller step is for launches near a kink or a sharp bend.
    const STEPS: [f64; 2] = [1e-6, 1e-8];
    let (direction, weights) = (Directions::inputs(kernel, launch), Directions::outputs(kernel, launch));
    let tangent = weights.along_tangents(kernel, &Wide::duals(kernel, launch, &direction.0)?)?;
    let shifted = |step: f64| -> Result<Product, Failure> {
        let mut args = wide(launch.args);
        for (arg, v) in args.iter_mut().zip(&direction.0) {
            if let Some(data) = floats_mut(arg) {
                data.iter_mut().zip(v).for_each(|(x, v)| *x += step * v);
            }
        }
        run_with(kernel, launch.dim, &mut args, launch.trips).map_err(fault)?;
        Ok(weights.along(kernel.param_ids().map(|(id, _)| id).zip(&args)))
    };
    let mut agree = false;
    let mut found = Vec::new();
    for step in STEPS {
        let (above, below) = (shifted(step)?, shifted(-step)?);
        let difference = (above.value - below.value) / (2.0 * step);
        // The truncation error (third derivative) and the rounding error, which grows as 1/step.
        let allowed = 1e-5 * (tangent.size + 1.0) + 1e-15 / step * (above.size + below.size);
        agree |= (difference - tangent.value).abs() <= allowed;
        found.push((difference, allowed));
    }
    let converge = found.windows(2).all(|pair| (pair[0].0 - pair[1].0).abs() <= pair[0].1 + pair[1].1);
    Ok(Differences { tangent: tangent.value, agree, converge })
}

/// The derivative of the weighted sum of the outputs ([`weights`]) with respect to one scalar of a parameter, by
/// central differences.
///
/// # Errors
/// A launch fails.
pub fn difference(kernel: &VerifiedKernel, launch: Launch, id: ParamId, scalar: usize) -> Result<f64, Failure> {
    const STEP: f64 = 1e-6;
    let weights = Directions::outputs(kernel, launch);
    let shifted = |step: f64| -> Result<f64, Failure> {
        let mut args = wide(launch.args);
        if let Some(x) = floats_mut(&mut args[id.0 as usize]).and_then(|data| data.get_mut(scalar)) {
            *x += step;
        }
        run_with(kernel, launch.dim, &mut args, launch.trips).map_err(fault)?;
        Ok(weights.along(kernel.param_ids().map(|(id, _)| id).zip(&args)).value)
    };
    Ok((shifted(STEP)? - shifted(-STEP)?) / (2.0 * STEP))
}

/// Whether the threads may run in the reverse order.
///
/// # Errors
/// The name of an array that the reverse order changes.
pub fn order_is_free(kernel: &VerifiedKernel, launch: Launch) -> Result<(), Failure> {
    let (mut up, mut down) = (wide(launch.args), wide(launch.args));
    run_with(kernel, launch.dim, &mut up, launch.trips).map_err(fault)?;
    run_in_order(kernel, launch.dim, &mut down, launch.trips, row_major(launch.dim).rev()).map_err(fault)?;
    for ((up, down), param) in up.iter().zip(&down).zip(&kernel.params) {
        let close = |(a, b): (&f64, &f64)| (a - b).abs() <= TOLERANCE * (1.0 + a.abs());
        if !floats(up).iter().zip(floats(down)).all(close) {
            return Err(Failure::Mismatch(format!("`{}` depends on the order of the threads", param.name)));
        }
    }
    Ok(())
}
