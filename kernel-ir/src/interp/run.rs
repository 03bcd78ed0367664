//! Launches: threads run alone or side by side, in the order that the meaning of the kernel asks for.

use super::dual::Dual;
use super::engine::{Engine, MOST_LANES};
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

/// Why a launch ended early: an error of the program.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// What went wrong, with the numbers.
    pub message: String,
    /// The index of the thread in which it did; empty if the arguments do not fit the kernel.
    pub thread: Vec<usize>,
}

/// How many trips of loops a launch may make under [`run`]: some seconds' worth.
pub const TRIPS: u64 = 1 << 27;

/// Runs every thread of a launch of `dim`, in row-major order, in the types that the kernel declares.
///
/// # Errors
/// The first error of the program; `args` are then as the threads up to it left them.
pub fn run(kernel: &VerifiedKernel, dim: &[usize], args: &mut [Arg]) -> Result<(), Fault> {
    run_with(kernel, dim, args, TRIPS)
}

/// Runs every thread of a launch of `dim`, in row-major order, with `S` and `D` for `f32` and `f64`. Floats that threads
/// add up, they add up in the order of [`Execution`](crate::analysis::Execution).
///
/// # Errors
/// The first error of the program, and the one that all its loops together make more than `trips` trips; `args` are then
/// as the threads up to it left them.
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

/// The types that `f32` and `f64` may be while a kernel runs. The interpreter is compiled for each of them here, not once
/// more in every crate that runs kernels.
pub trait NumberTypes<S, D> {
    /// Runs all threads of a checked launch.
    #[doc(hidden)]
    fn run_all(kernel: &VerifiedKernel, dim: &[usize], args: &mut [Argument<S, D>], trips: u64) -> Result<(), Fault>;

    /// Runs `threads` of a checked launch, in their order.
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
}

/// Runs a launch as [`run`] does, with the functions of std: the bits are those of the CPU version on this machine.
///
/// # Errors
/// Those of [`run`].
pub fn run_over_std(kernel: &VerifiedKernel, dim: &[usize], args: &mut [Arg]) -> Result<(), Fault> {
    let mut over_std: Vec<_> = args.iter().map(|arg| arg.map_floats(|x| Std(*x), |x| Std(*x))).collect();
    let outcome = run_with(kernel, dim, &mut over_std, TRIPS);
    for (arg, found) in args.iter_mut().zip(over_std) {
        *arg = found.map_floats(|x| x.0, |x| x.0);
    }
    outcome
}

/// Runs a launch of an adjoint as [`run`] does, over numbers that know whether they depend on an input, and finds where the
/// gradient may be wrong.
///
/// # Errors
/// Those of [`run`].
pub fn run_varied(
    kernel: &VerifiedKernel,
    dim: &[usize],
    args: &mut [Argument<Varied<f32>, Varied<f64>>],
) -> Result<Findings, Fault> {
    check_launch(kernel, dim, args).map_err(|message| Fault { message, thread: Vec::new() })?;
    let threads = dim.iter().copied().fold(1, usize::saturating_mul);
    in_groups(kernel, args, lanes(kernel.program(), dim, threads), |args, lanes| {
        launch(kernel, dim, args, TRIPS, lanes)
    })
}

/// Runs every thread of a launch in groups of `lanes`.
pub(super) fn launch<S: Number, D: Number>(
    kernel: &VerifiedKernel,
    dim: &[usize],
    args: &mut [Argument<S, D>],
    trips: u64,
    lanes: usize,
) -> Result<Findings, Fault> {
    let program = kernel.program();
    let sums = Sums::new(&program.execution, dim, args);
    let plan = sums.plan;
    let extent = |array: ParamId, axis: u8| args[array.0 as usize].shape[usize::from(axis)];
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
    Ok(engine.findings)
}

/// How many threads of a launch of `dim` may run side by side, of so many that run at all.
pub(super) fn lanes(program: &Program, dim: &[usize], threads: usize) -> usize {
    let is_free = program.execution.reason.is_none() && program.execution.schedule.keeps_apart(dim);
    if is_free { threads.clamp(1, MOST_LANES) } else { 1 }
}

/// Whether no index stands twice among those of a launch of `dim`.
fn are_distinct(dim: &[usize], threads: &[Tid]) -> bool {
    let numbers = threads.iter().map(|tid| tid.number(dim)).collect::<Option<Vec<usize>>>();
    let Some(mut numbers) = numbers else { return false };
    numbers.sort_unstable();
    numbers.windows(2).all(|pair| pair[0] != pair[1])
}

/// Has `run` run threads in groups of `lanes`. If one of them fails, the arguments are as before and the threads run one by
/// one: that says which fails first, and what those before it have done.
fn in_groups<S: Number, D: Number, T>(
    kernel: &Kernel,
    args: &mut [Argument<S, D>],
    lanes: usize,
    run: impl Fn(&mut [Argument<S, D>], usize) -> Result<T, Fault>,
) -> Result<T, Fault> {
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

/// Runs the threads of a group, or one.
fn run_group<S: Number, D: Number>(engine: &mut Engine<S, D>, group: &[Tid]) -> Result<(), Fault> {
    engine.run(group).map_err(|message| Fault { message, thread: group.first().map_or(Vec::new(), |tid| tid.to_vec()) })
}

/// Runs the threads of a launch of `dim` whose indices `threads` gives, in that order, as [`run_with`] does all of them.
/// Where threads meet in atomics, they act on the arrays themselves, in that order.
///
/// # Errors
/// Those of [`run_with`].
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

/// Runs threads as [`run_in_order`] does, on `model` if there is one.
///
/// # Errors
/// Those of [`run_with`].
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
    // Where one core runs them all, the order may show in more than sums.
    if let Some(model) = model.filter(|_| program.sums_are_open) {
        threads = model.order(threads);
    }
    let lanes = lanes(program, dim, threads.len());
    // A thread that runs twice sees what it has written.
    let lanes = if lanes > 1 && are_distinct(dim, &threads) { lanes } else { 1 };
    in_groups(kernel, args, lanes, |args, lanes| {
        let mut engine = Engine::new(kernel, program, args, lanes, trips, model);
        if let Some(model) = model.filter(|_| program.has_sums_in_any_order()) {
            engine.parts = model.part().map(|size| Parts::new(&program.grid_reductions, size));
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
