//! Adjoints held against derivatives element by element.
//!
//! Where [`adjoint_holds`](super::adjoint_holds) takes one random direction, this takes every float that a kernel reads by
//! itself, and asks dual numbers and central differences for the derivative by it.

use super::{Directions, Failure, Launch, TOLERANCE, fault, floats, floats_mut, forward, reverse, wide};
use kernel_ir::adjoint::Backward;
use kernel_ir::check::CheckedKernel;
use kernel_ir::interp::run_with;
use kernel_ir::ir::ParamId;

/// What a launch gives, and its gradient.
#[derive(Clone, Debug)]
pub(crate) struct Figures {
    /// The weights of the outputs, which add up to what the gradient is of; one for each float of each parameter that is
    /// written, in order.
    pub(crate) weights: Vec<Vec<f64>>,
    /// The floats of each parameter after the launch.
    pub(crate) results: Vec<Vec<f64>>,
    /// The derivative by each float of each parameter.
    pub(crate) gradient: Vec<Vec<f64>>,
    /// The largest relative error before dual numbers.
    pub(crate) error: f64,
}

/// How far a central difference may lie from the derivative, in parts of its size and of the largest derivative. The
/// step's square and the rounding of results leave that.
const DIFFERENCE: f64 = 2e-6;

/// Holds every element of the gradient of one launch against dual numbers and central differences.
///
/// # Errors
/// The first element that is not what it should be.
pub(crate) fn elements_hold(kernel: &CheckedKernel, backward: &Backward, launch: Launch) -> Result<Figures, Failure> {
    let weights = Directions::outputs(kernel, launch);
    let gradient: Vec<Vec<f64>> =
        reverse(kernel, backward, launch, &weights)?.iter().map(|arg| floats(arg).to_vec()).collect();
    let largest = gradient.iter().flatten().fold(0.0f64, |most, value| most.max(value.abs()));
    let mut error = 0.0f64;
    for (id, param) in kernel.param_ids() {
        for (place, found) in gradient[id.0 as usize].iter().enumerate() {
            let direction = Directions::element(launch, id, place);
            let tangent = forward(kernel, launch, &direction, &weights)?.value;
            let distance = |other: f64| (found - other).abs() / (found.abs().max(other.abs()) + 1e-3 * largest + 1e-9);
            if distance(tangent).is_nan() || distance(tangent) > TOLERANCE {
                let message = format!("`{}`[{place}]: dual numbers say {tangent:e}, the adjoint {found:e}", param.name);
                return Err(Failure::Mismatch(message));
            }
            error = error.max(distance(tangent));
            let difference = difference(kernel, launch, (id, place), &weights)?;
            if distance(difference) > DIFFERENCE {
                let message =
                    format!("`{}`[{place}]: differences say {difference:e}, the adjoint {found:e}", param.name);
                return Err(Failure::Mismatch(message));
            }
        }
    }
    let mut results = wide(launch.args);
    run_with(kernel, launch.dim, &mut results, launch.trips).map_err(fault)?;
    let results = results.iter().map(|arg| floats(arg).to_vec()).collect();
    Ok(Figures { weights: weights.0, results, gradient, error })
}

/// The derivative by one element, from launches with two and four steps to both sides: the error is of fourth order.
fn difference(
    kernel: &CheckedKernel,
    launch: Launch,
    (id, place): (ParamId, usize),
    weights: &Directions,
) -> Result<f64, Failure> {
    const STEP: f64 = 1e-4;
    let shifted = |step: f64| -> Result<f64, Failure> {
        let mut args = wide(launch.args);
        if let Some(data) = floats_mut(&mut args[id.0 as usize]) {
            data[place] += step;
        }
        run_with(kernel, launch.dim, &mut args, launch.trips).map_err(fault)?;
        Ok(weights.along(&args).value)
    };
    let near = (shifted(STEP)? - shifted(-STEP)?) / (2.0 * STEP);
    let far = (shifted(2.0 * STEP)? - shifted(-2.0 * STEP)?) / (4.0 * STEP);
    Ok((4.0 * near - far) / 3.0)
}

impl Directions {
    /// The direction of one element alone.
    fn element(launch: Launch, id: ParamId, place: usize) -> Directions {
        let zeros = |arg| vec![0.0; floats(arg).len()];
        let mut numbers: Vec<Vec<f64>> = wide(launch.args).iter().map(zeros).collect();
        numbers[id.0 as usize][place] = 1.0;
        Directions(numbers)
    }
}
