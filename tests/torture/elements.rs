//! Compares gradients with derivatives, element by element.
//!
//! Each float that a kernel reads is perturbed alone. Dual numbers and central differences give the change of the
//! weighted sum of its outputs.

use kernel_ir::adjoint::{self, Backward, arguments, gradients};
use kernel_ir::data::{Argument, Scalars};
use kernel_ir::gradcheck::{Launch, weights};
use kernel_ir::interp::{Dual, Fault, NumberTypes, row_major, run_in_order, run_with};
use kernel_ir::verify::VerifiedKernel;

/// A launch and its gradient. Each parameter has its floats in order, or an empty list if it has no floats.
#[derive(Clone, Debug)]
pub(crate) struct Figures {
    /// The weights of the outputs in the sum that is differentiated. Empty for parameters that are not written.
    pub(crate) weights: Vec<Vec<f64>>,
    /// The floats after the launch.
    pub(crate) results: Vec<Vec<f64>>,
    /// The derivative with respect to each float.
    pub(crate) gradient: Vec<Vec<f64>>,
    /// The largest relative error, compared with dual numbers.
    pub(crate) error: f64,
}

/// The tolerance of a derivative by dual numbers, relative to its size.
const EXACT: f64 = 1e-10;

/// The tolerance of a central difference: the fourth power of its step, plus the rounding of results.
const DIFFERENCE: f64 = 2e-6;

/// The step of central differences.
const STEP: f64 = 1e-4;

/// Arguments whose floats are all `N`.
type Args<N> = Vec<Argument<N, N>>;

/// Holds every element of the gradient of one launch against dual numbers and central differences.
///
/// # Errors
/// The first element that is not what it should be.
pub(crate) fn elements_hold(kernel: &VerifiedKernel, backward: &Backward, launch: Launch) -> Result<Figures, String> {
    let before: Args<f64> = launch.args.iter().map(|arg| arg.map_floats(|x| f64::from(*x), |x| *x)).collect();
    let after = run(kernel, launch, before.clone())?;
    let weights = kernel.param_ids().map(|(id, _)| weights(kernel, launch.args, launch.seed, id));
    let weights: Args<f64> = weights
        .zip(&before)
        .map(|(weights, of)| match weights {
            Some(weights) => weights.map_floats(|x| f64::from(*x), |x| *x),
            None => Argument::zeros(of.ty, &of.shape),
        })
        .collect();
    let mut args = arguments(kernel, &backward.sources, &before, &after, |id| {
        kernel.param(id).is_mutable().then(|| weights[id.0 as usize].clone())
    });
    // The order of threads does not matter in these kernels.
    adjoint::launch(&backward.sources, &mut args, |args| {
        let threads = row_major(launch.dim).rev();
        run_in_order(&backward.kernel, launch.dim, args, 64 * launch.trips, threads).map_err(|why| words(&why))
    })?;
    let mut gradient: Vec<Vec<f64>> = before.iter().map(|arg| vec![0.0; floats(arg).len()]).collect();
    for (id, arg) in gradients(&backward.sources, &before, &after, args) {
        gradient[id.0 as usize] = floats(&arg).to_vec();
    }

    let largest = gradient.iter().flatten().fold(0.0f64, |most, value| most.max(value.abs()));
    let mut error = 0.0f64;
    for (number, param) in kernel.params.iter().enumerate() {
        for (place, found) in gradient[number].iter().enumerate() {
            let moved = |step: f64| {
                let mut args = before.clone();
                floats_mut(&mut args[number])[place] += step;
                Ok::<_, String>(weighted(&run(kernel, launch, args)?, &weights))
            };
            let distance = |other: f64| (found - other).abs() / (found.abs().max(other.abs()) + 1e-3 * largest + 1e-9);
            let hold = |what: &str, other: f64, allowed: f64| match distance(other) <= allowed {
                true => Ok(()),
                false => Err(format!("`{}`[{place}]: {what} say {other:e}, the adjoint {found:e}", param.name)),
            };
            let mut duals: Args<Dual> =
                before.iter().map(|arg| arg.map_floats(|x| Dual::constant(*x), |x| Dual::constant(*x))).collect();
            floats_mut(&mut duals[number])[place].tangent = 1.0;
            let tangent = tangent(&run(kernel, launch, duals)?, &weights);
            hold("dual numbers", tangent, EXACT)?;
            error = error.max(distance(tangent));
            let near = (moved(STEP)? - moved(-STEP)?) / (2.0 * STEP);
            let far = (moved(2.0 * STEP)? - moved(-2.0 * STEP)?) / (4.0 * STEP);
            hold("differences", (4.0 * near - far) / 3.0, DIFFERENCE)?;
        }
    }
    let all = |args: &Args<f64>| args.iter().map(|arg| floats(arg).to_vec()).collect();
    Ok(Figures { weights: all(&weights), results: all(&after), gradient, error })
}

fn run<N>(kernel: &VerifiedKernel, launch: Launch, mut args: Args<N>) -> Result<Args<N>, String>
where
    (N, N): NumberTypes<N, N>,
{
    run_with(kernel, launch.dim, &mut args, launch.trips).map_err(|why| words(&why))?;
    Ok(args)
}

/// The weighted sum of the outputs.
fn weighted(args: &Args<f64>, weights: &Args<f64>) -> f64 {
    args.iter().zip(weights).flat_map(|(arg, w)| floats(arg).iter().zip(floats(w))).map(|(x, w)| x * w).sum()
}

/// The derivative of the weighted sum.
fn tangent(args: &Args<Dual>, weights: &Args<f64>) -> f64 {
    args.iter().zip(weights).flat_map(|(arg, w)| floats(arg).iter().zip(floats(w))).map(|(x, w)| x.tangent * w).sum()
}

fn floats<N>(arg: &Argument<N, N>) -> &[N] {
    match &arg.data {
        Scalars::F32(data) | Scalars::F64(data) => data,
        _ => &[],
    }
}

fn floats_mut<N>(arg: &mut Argument<N, N>) -> &mut [N] {
    match &mut arg.data {
        Scalars::F32(data) | Scalars::F64(data) => data,
        _ => &mut [],
    }
}

fn words(why: &Fault) -> String {
    format!("thread {:?}: {}", why.thread, why.message)
}

#[test]
fn a_wrong_gradient_is_found() {
    let case = super::case("running_max", "");
    let right = kernel_ir::adjoint::backward(&case.kernel).expect("an adjoint");
    let printed = kernel_ir::text::print(&right.kernel);
    let args = case.args(0);
    let judge = |text: &str| {
        let kernel = kernel_ir::text::parse(text).expect("a kernel");
        let backward = Backward { kernel: kernel_ir::verify::verify(kernel).expect("a kernel"), ..right.clone() };
        elements_hold(&case.kernel, &backward, Launch { dim: &[case.threads], args: &args, trips: 1 << 10, seed: 0 })
    };
    assert!(judge(&printed).is_ok());
    let wrong = printed.replace("atomic_add(adj_x", "atomic_sub(adj_x");
    assert_ne!(printed, wrong, "{printed}");
    assert!(judge(&wrong).is_err_and(|why| why.contains("dual numbers say")));
}
