//! Runs of a launch in perturbed models, and the distances of their results.

use super::exact::is_exact;
use super::model::{MAGNITUDES, MODELS, PROBE, PerturbedModel};
use super::slack::{Float, Slack, allowed};
use crate::data::{Arg, Data};
use crate::interp::run::{TRIPS, run_on};
use crate::interp::tid::{Tid, row_major};
use crate::verify::VerifiedKernel;

/// The limit of loop trips for models that perturb sums and products. An iteration that waits for a small difference
/// may never end in them.
const REASSOCIATED_TRIPS: u64 = 1 << 16;

/// The tolerance of each number of each argument after the launch of `dim` that turns `before` into `after`. `threads`
/// gives the indices of its threads in order. A tolerance of 0 demands equal bits.
///
/// # Errors
/// The launch is ill-conditioned, or [`run`](crate::interp::run) rejects it.
pub fn tolerances(
    kernel: &VerifiedKernel,
    dim: &[usize],
    before: &[Arg],
    after: &[Arg],
    threads: impl Fn() -> Vec<Tid>,
) -> Result<Vec<Arg>, String> {
    if is_exact(kernel) {
        return Ok(after.iter().map(|arg| Arg::zeros(arg.ty, &arg.shape)).collect());
    }
    measure(kernel, false, dim, before, after, threads)
}

/// The tolerances for a reassociated form of the kernel, which computes the same in real numbers but rounds in other
/// places.
///
/// # Errors
/// Those of [`tolerances`].
pub fn tolerances_when_reassociated(
    kernel: &VerifiedKernel,
    dim: &[usize],
    before: &[Arg],
    after: &[Arg],
) -> Result<Vec<Arg>, String> {
    measure(kernel, true, dim, before, after, || row_major(dim).collect())
}

fn measure(
    kernel: &VerifiedKernel,
    reassociates: bool,
    dim: &[usize],
    before: &[Arg],
    after: &[Arg],
    threads: impl Fn() -> Vec<Tid>,
) -> Result<Vec<Arg>, String> {
    let names: Vec<&str> = kernel.params.iter().map(|param| param.name.as_str()).collect();
    let slacks: Vec<Slack> = kernel.param_ids().map(|(id, _)| Slack::of(kernel, id)).collect();
    let trips = if reassociates { REASSOCIATED_TRIPS } else { TRIPS };
    measure_with(&names, after, &slacks, reassociates, |model| {
        let mut args = before.to_vec();
        run_on(Some(model), kernel, dim, &mut args, trips, threads()).map_err(|fault| fault.message)?;
        Ok(args)
    })
}

/// The tolerances of the arrays `here` with these `names` and `slacks`, rounded up to two digits. `run` computes the
/// same arrays in a model.
///
/// # Errors
/// The numbers are ill-conditioned.
pub fn tolerances_of(
    names: &[&str],
    here: &[Arg],
    slacks: &[Slack],
    run: impl FnMut(PerturbedModel) -> Result<Vec<Arg>, String>,
) -> Result<Vec<Arg>, String> {
    measure_with(names, here, slacks, false, run)
}

/// The tolerances of [`tolerances_of`]. If `reassociates`, the models stand for another form of the kernel.
fn measure_with(
    names: &[&str],
    here: &[Arg],
    slacks: &[Slack],
    reassociates: bool,
    mut run: impl FnMut(PerturbedModel) -> Result<Vec<Arg>, String>,
) -> Result<Vec<Arg>, String> {
    let mut distances: Vec<Vec<f64>> = here.iter().map(|arg| vec![0.0; arg.data.len()]).collect();
    for number in 0..MODELS {
        let there = run(PerturbedModel { number, reassociates })
            .map_err(|why| format!("the launch fails or not by the last digits of a function: {why}"))?;
        for (((name, here), there), distances) in names.iter().zip(here).zip(&there).zip(&mut distances) {
            widen(distances, here, there).ok_or_else(|| undecided(name))?;
        }
    }
    // The probe is 1e-3 off, so it may fail in a bounds check or a loop limit; then every float counts as inexact.
    let probe = run(PerturbedModel { number: PROBE, reassociates }).ok();
    let has_sums = slacks.iter().any(|slack| slack.is_sum);
    let magnitudes = has_sums.then(|| run(PerturbedModel { number: MAGNITUDES, reassociates }).ok()).flatten();
    let args = names.iter().zip(here).zip(distances).enumerate();
    args.map(|(place, ((name, here), distances))| {
        let of = |run: &Option<Vec<Arg>>| run.as_ref().map(|run| run[place].data.clone());
        let (probe, slack) = (of(&probe), slacks[place]);
        let magnitudes = of(&magnitudes).filter(|_| slack.is_sum);
        let data = match &here.data {
            Data::F32(here) => allowed(here, probe, magnitudes, &distances, slack),
            Data::F64(here) => allowed(here, probe, magnitudes, &distances, slack),
            other @ (Data::Bool(_) | Data::I32(_) | Data::U32(_) | Data::I64(_) | Data::U64(_) | Data::Index(_)) => {
                Some(Data::zeros(other.scalar(), other.len()))
            }
        };
        let data = data.ok_or_else(|| undecided(name))?;
        Ok(Arg { ty: here.ty, shape: here.shape.clone(), data })
    })
    .collect()
}

fn undecided(name: &str) -> String {
    format!("`{name}` hangs on the last digits of a function")
}

/// Raises `distances` to the distances between `here` and `there`; `None` if the values are not comparable.
fn widen(distances: &mut [f64], here: &Arg, there: &Arg) -> Option<()> {
    fn each<F: Float>(distances: &mut [f64], here: &[F], there: &[F]) -> Option<()> {
        for ((distance, here), there) in distances.iter_mut().zip(here).zip(there) {
            let (here, there) = (here.value(), there.value());
            if here.to_bits() == there.to_bits() || (here.is_nan() && there.is_nan()) {
                continue;
            }
            if here == there {
                *distance = distance.max(F::TINY);
                continue;
            }
            *distance = distance.max((here - there).abs());
            // An infinite or NaN difference means that only one side is finite: the launch is ill-conditioned. `max`
            // drops a NaN.
            if !(here - there).is_finite() {
                return None;
            }
        }
        Some(())
    }
    match (&here.data, &there.data) {
        (Data::F32(here), Data::F32(there)) => each(distances, here, there),
        (Data::F64(here), Data::F64(there)) => each(distances, here, there),
        (here, there) => (here == there).then_some(()),
    }
}
