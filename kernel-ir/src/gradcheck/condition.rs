//! The condition of a gradient: how much a launch amplifies rounding errors.

use crate::adjoint::{self, Backward, arguments, gradients};
use crate::data::{Arg, Data};
use crate::interp::{PerturbedModel, row_major, run_on};
use crate::ir::ParamId;
use crate::verify::VerifiedKernel;

/// The limit of loop trips of a perturbed launch. An iteration that waits for a small difference may never end in it.
const TRIPS: u64 = 1 << 20;

/// The condition of the `gradient` of a launch of `dim` on the arguments `before`, with the adjoints `seeds` of its
/// outputs. It is the change of the gradient in units in the last place of its largest component if every operation of
/// the kernel and of the adjoint rounds differently. Below a hundred, the gradient has the digits of its type; at the
/// inverse of the machine epsilon, it has none. The value estimates an order of magnitude. `None` if the perturbed
/// launch fails, or its gradient is not finite.
pub fn condition(
    kernel: &VerifiedKernel,
    backward: &Backward,
    (dim, before): (&[usize], &[Arg]),
    seeds: impl Fn(ParamId) -> Option<Arg>,
    gradient: &[(ParamId, Arg)],
) -> Option<f64> {
    let model = PerturbedModel::reassociating().next()?;
    let moved = perturbed_gradient(kernel, backward, (dim, before), model, &seeds)?;
    let distances = gradient.iter().zip(&moved).map(|((_, here), (_, there))| distance(&here.data, &there.data));
    distances.reduce(f64::max).filter(|distance| distance.is_finite())
}

/// The gradient of a launch in `model`; `None` if the kernel or its adjoint fails in it.
pub(super) fn perturbed_gradient(
    kernel: &VerifiedKernel,
    backward: &Backward,
    (dim, before): (&[usize], &[Arg]),
    model: PerturbedModel,
    seeds: &dyn Fn(ParamId) -> Option<Arg>,
) -> Option<Vec<(ParamId, Arg)>> {
    let run = |kernel: &VerifiedKernel, args: &mut [Arg]| run_on(Some(model), kernel, dim, args, TRIPS, row_major(dim));
    let mut after = before.to_vec();
    run(kernel, &mut after).ok()?;
    let mut args = arguments(kernel, &backward.sources, before, &after, seeds);
    adjoint::launch(&backward.sources, &mut args, |args| run(&backward.kernel, args)).ok()?;
    Some(gradients(&backward.sources, before, &after, args))
}

/// The largest distance of two numbers, in units in the last place of the largest number.
fn distance(here: &Data, there: &Data) -> f64 {
    fn of<T: Copy + Into<f64>>(here: &[T], there: &[T], epsilon: f64) -> f64 {
        let largest = here.iter().chain(there).map(|x| (*x).into().abs()).fold(0.0, f64::max);
        let distances = here.iter().zip(there).map(|(a, b)| ((*a).into() - (*b).into()).abs());
        // A NaN must propagate; `f64::max` would drop it.
        let distance = distances.fold(0.0, |most, x| if x > most || x.is_nan() { x } else { most });
        if distance == 0.0 { 0.0 } else { distance / (largest * epsilon) }
    }
    // Integers and booleans have no gradient.
    let Some(format) = here.scalar().format() else { return 0.0 };
    match (here.singles(), there.singles(), here.doubles(), there.doubles()) {
        (Some(here), Some(there), ..) => of(here, there, format.epsilon()),
        (_, _, Some(here), Some(there)) => of(here, there, format.epsilon()),
        _ => 0.0,
    }
}
