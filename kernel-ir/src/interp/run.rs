//! Launches. Threads run alone or in groups, in the order that the meaning of the kernel prescribes.

use super::dual::Dual;
use super::engine::{Engine, MOST_LANES, Observed};
use super::findings::Findings;
use super::number::Number;
use super::numerics::PerturbedModel;
use super::program::Program;
use super::single::Single;
use super::std_math::Std;
use super::sums::{Parts, Sums};
use super::tid::{Tid, row_major};
use super::varied::Varied;
use crate::analysis::LANES;
use crate::data::{Arg, Argument};
use crate::ir::{Kernel, ParamId, ParamKind};
use crate::verify::VerifiedKernel;

/// An error of the program that ended a launch early.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// The error, with the numbers involved.
    pub message: String,
    /// The index of the failing thread; empty if the arguments do not fit the kernel.
    pub thread: Vec<usize>,
}

/// The largest number of loop trips per launch under [`run`], summed over all threads. It bounds a run to some seconds.
pub const TRIPS: u64 = 1 << 27;

/// Runs every thread of a launch of `dim`, in row-major order, with the declared types.
///
/// # Errors
/// The first error of the program. `args` then holds the state after the threads up to the failing one.
pub fn run(kernel: &VerifiedKernel, dim: &[usize], args: &mut [Arg]) -> Result<(), Fault> {
    run_with(kernel, dim, args, TRIPS)
}

/// Runs every thread of a launch of `dim`, in row-major order, with `S` and `D` for `f32` and `f64`. Threads add floats
/// in the order of [`Execution`](crate::analysis::Execution).
///
/// # Errors
/// The first error of the program, or that its loops together make more than `trips` trips. `args` then holds the state
/// after the threads up to the failing one.
pub fn run_with<S, D>(
    kernel: &VerifiedKernel,
    dim: &[usize],
    args: &mut [Argument<S, D>],
    trips: u64,
) -> Result<(), Fault>
where
    (S, D): NumberTypes<S, D>,
{
    check_launch(kernel, dim, args).map_err(|message| Fault { message, thread: Vec::new() })?;
    <(S, D)>::run_all(kernel, dim, args, trips)
}

/// Pairs of number types for `f32` and `f64`. The interpreter is instantiated here for each pair, so that crates that
/// run kernels need not compile it again.
pub trait NumberTypes<S, D> {
    /// Runs all threads of a launch whose arguments are checked.
    #[doc(hidden)]
    fn run_all(kernel: &VerifiedKernel, dim: &[usize], args: &mut [Argument<S, D>], trips: u64) -> Result<(), Fault>;

    /// Runs the given threads of a launch whose arguments are checked, in this order.
    #[doc(hidden)]
    fn run_threads(
        model: Option<PerturbedModel>,
        kernel: &VerifiedKernel,
        dim: &[usize],
        args: &mut [Argument<S, D>],
        trips: u64,
        threads: Vec<Tid>,
    ) -> Result<(), Fault>;
}

macro_rules! number_types {
    ($($single:ty, $double:ty;)*) => {$(
        impl NumberTypes<$single, $double> for ($single, $double) {
            fn run_all(
                kernel: &VerifiedKernel,
                dim: &[usize],
                args: &mut [Argument<$single, $double>],
                trips: u64,
            ) -> Result<(), Fault> {
                let threads = dim.iter().copied().fold(1, usize::saturating_mul);
                in_groups(kernel, args, lanes(kernel.program(), dim, threads), |args, lanes| {
                    launch(kernel, dim, args, trips, lanes).map(drop)
                })
            }

            fn run_threads(
                model: Option<PerturbedModel>,
                kernel: &VerifiedKernel,
                dim: &[usize],
                args: &mut [Argument<$single, $double>],
                trips: u64,
                threads: Vec<Tid>,
            ) -> Result<(), Fault> {
                threads_in_order(model, kernel, dim, args, trips, threads)
            }
        }
    )*};
}

number_types! {
    f32, f64;
    f64, f64;
    Dual, Dual;
    Single, Dual;
    Std<f32>, Std<f64>;
    Varied<f32>, Varied<f64>;
}

/// Runs a launch as [`run`] does, with the functions of std. The results have the bits of the CPU version on this
/// machine.
///
/// # Errors
/// The errors of [`run`].
pub fn run_over_std(kernel: &VerifiedKernel, dim: &[usize], args: &mut [Arg]) -> Result<(), Fault> {
    let mut over_std: Vec<_> = args.iter().map(|arg| arg.map_floats(|x| Std(*x), |x| Std(*x))).collect();
    let outcome = run_with(kernel, dim, &mut over_std, TRIPS);
    for (arg, found) in args.iter_mut().zip(over_std) {
        *arg = found.map_floats(|x| x.0, |x| x.0);
    }
    outcome
}

/// Runs a launch of an adjoint as [`run`] does, over numbers that track their dependence on inputs, and reports where
/// the gradient may be wrong.
///
/// # Errors
/// The errors of [`run`].
pub fn run_varied(
    kernel: &VerifiedKernel,
    dim: &[usize],
    args: &mut [Argument<Varied<f32>, Varied<f64>>],
) -> Result<Findings, Fault> {
    check_launch(kernel, dim, args).map_err(|message| Fault { message, thread: Vec::new() })?;
    let threads = dim.iter().copied().fold(1, usize::saturating_mul);
    in_groups(kernel, args, lanes(kernel.program(), dim, threads), |args, lanes| {
        launch(kernel, dim, args, TRIPS, lanes).map(|observed| observed.findings)
    })
}

/// Runs every thread of a launch, in groups of `lanes`.
pub(super) fn launch<S: Number, D: Number>(
    kernel: &VerifiedKernel,
    dim: &[usize],
    args: &mut [Argument<S, D>],
    trips: u64,
    lanes: usize,
) -> Result<Observed, Fault> {
    let program = kernel.program();
    let sums = Sums::new(&program.execution, dim, args);
    let plan = sums.plan;
    let extent = |array: ParamId, axis: u8| args[array.0 as usize].shape[usize::from(axis)];
    // Lockstep groups must be whole, and are defined for `LANES` threads.
    let lockstep = lanes == LANES && program.lockstep.as_ref().is_some_and(|lockstep| lockstep.suits(dim, extent));
    let mut engine = Engine::new(kernel, program, args, lanes, trips, None);
    engine.sums = Some(sums);
    let mut threads = row_major(dim);
    let mut first = 0;
    while first < plan.threads {
        let (count, is_whole) = if lockstep { plan.part(dim, first) } else { (lanes, false) };
        let group: Vec<Tid> = threads.by_ref().take(count).collect();
        engine.start_chunk(first);
        engine.lockstep = is_whole;
        run_group(&mut engine, &group)?;
        first += group.len();
    }
    engine.finish_sums();
    Ok(engine.observed())
}

/// The number of threads that may run side by side in a launch of `dim` of which `threads` threads run.
pub(super) fn lanes(program: &Program, dim: &[usize], threads: usize) -> usize {
    let is_free = program.execution.reason.is_none() && program.execution.schedule.keeps_apart(dim);
    if is_free { threads.clamp(1, MOST_LANES) } else { 1 }
}

/// Whether `threads` are distinct threads of a launch of `dim`.
fn are_distinct(dim: &[usize], threads: &[Tid]) -> bool {
    let numbers = threads.iter().map(|tid| tid.number(dim)).collect::<Option<Vec<usize>>>();
    let Some(mut numbers) = numbers else { return false };
    numbers.sort_unstable();
    numbers.windows(2).all(|pair| pair[0] != pair[1])
}

/// Calls `run` with groups of `lanes` threads. If it fails, restores the arguments and runs thread by thread, because
/// only sequential execution tells which thread fails first, and what the earlier threads have written.
pub(super) fn in_groups<S: Number, D: Number, T>(
    kernel: &Kernel,
    args: &mut [Argument<S, D>],
    lanes: usize,
    run: impl Fn(&mut [Argument<S, D>], usize) -> Result<T, Fault>,
) -> Result<T, Fault> {
    // A copy of the mutable arguments pays: failures are rare, and groups are several times faster.
    if lanes > 1 {
        let mutable =
            || kernel.params.iter().enumerate().filter(|(_, param)| param.is_mutable()).map(|(place, _)| place);
        let before: Vec<_> = mutable().map(|place| args[place].data.clone()).collect();
        if let Ok(found) = run(args, lanes) {
            return Ok(found);
        }
        mutable().zip(before).for_each(|(place, data)| args[place].data = data);
    }
    run(args, 1)
}

/// Runs the threads of a group.
fn run_group<S: Number, D: Number>(engine: &mut Engine<S, D>, group: &[Tid]) -> Result<(), Fault> {
    engine.run(group).map_err(|message| Fault { message, thread: group.first().map_or(Vec::new(), |tid| tid.to_vec()) })
}

/// Runs the given `threads` of a launch of `dim` in the given order, otherwise as [`run_with`]. Atomics change the
/// arrays directly, in this order.
///
/// # Errors
/// The errors of [`run_with`].
pub fn run_in_order<S, D>(
    kernel: &VerifiedKernel,
    dim: &[usize],
    args: &mut [Argument<S, D>],
    trips: u64,
    threads: impl IntoIterator<Item = Tid>,
) -> Result<(), Fault>
where
    (S, D): NumberTypes<S, D>,
{
    run_on(None, kernel, dim, args, trips, threads)
}

/// As [`run_in_order`], on a perturbed `model` if given.
///
/// # Errors
/// The errors of [`run_with`].
pub fn run_on<S, D>(
    model: Option<PerturbedModel>,
    kernel: &VerifiedKernel,
    dim: &[usize],
    args: &mut [Argument<S, D>],
    trips: u64,
    threads: impl IntoIterator<Item = Tid>,
) -> Result<(), Fault>
where
    (S, D): NumberTypes<S, D>,
{
    check_launch(kernel, dim, args).map_err(|message| Fault { message, thread: Vec::new() })?;
    <(S, D)>::run_threads(model, kernel, dim, args, trips, threads.into_iter().collect())
}

fn threads_in_order<S: Number, D: Number>(
    model: Option<PerturbedModel>,
    kernel: &VerifiedKernel,
    dim: &[usize],
    args: &mut [Argument<S, D>],
    trips: u64,
    mut threads: Vec<Tid>,
) -> Result<(), Fault> {
    let program = kernel.program();
    // If one core must run all threads, their order may affect more than sums, so the model must not change it.
    if let Some(model) = model.filter(|_| program.sums_are_open) {
        threads = model.order(threads);
    }
    let lanes = lanes(program, dim, threads.len());
    // A thread that is listed twice reads what it has written, so it must not run beside itself.
    let lanes = if lanes > 1 && are_distinct(dim, &threads) { lanes } else { 1 };
    in_groups(kernel, args, lanes, |args, lanes| {
        let mut engine = Engine::new(kernel, program, args, lanes, trips, model);
        // Partial sums and magnitudes describe the freedom of summation, so only sums have them.
        if let Some(model) = model.filter(|_| program.has_sums_in_any_order()) {
            engine.parts = model.part().map(|size| Parts::new(&program.reduced, size));
            engine.magnitudes = model.magnitudes();
        }
        threads.chunks(lanes).try_for_each(|group| run_group(&mut engine, group))?;
        engine.finish_sums();
        Ok(())
    })
}

pub(super) fn check_launch<S, D>(
    kernel: &VerifiedKernel,
    dim: &[usize],
    args: &[Argument<S, D>],
) -> Result<(), String> {
    if dim.len() != usize::from(kernel.dim) {
        return Err(format!("`{}` is launched over {} axes, not {}", kernel.name, kernel.dim, dim.len()));
    }
    if args.len() != kernel.params.len() {
        return Err(format!("`{}` takes {} arguments, not {}", kernel.name, kernel.params.len(), args.len()));
    }
    for (param, arg) in kernel.params.iter().zip(args) {
        let (name, rank) = (&param.name, param.rank());
        if arg.ty != param.elem() || arg.data.scalar() != arg.ty.scalar() {
            return Err(format!("`{name}` is made of {}, not {}", param.elem().rust_name(), arg.ty.rust_name()));
        }
        if arg.shape.len() != rank {
            let kind = if matches!(param.kind, ParamKind::Value(_)) { "a value" } else { "an array" };
            return Err(format!("`{name}` is {kind} of {rank} axes, not {}", arg.shape.len()));
        }
        let scalars = arg.shape.iter().try_fold(arg.ty.components(), |product, extent| product.checked_mul(*extent));
        if scalars != Some(arg.data.len()) {
            return Err(format!("`{name}` has the shape {:?}, but {} scalars", arg.shape, arg.data.len()));
        }
    }
    Ok(())
}
