//! The meaning of the IR, executed.
//!
//! A run computes with Rust's semantics, overflow checks and all, and with glam's order of operations. What the kernel
//! calls `f32` and `f64` are two number types `S` and `D` of the run:
//! - `f32` and `f64`, as declared: the same bits as the CPU version of the kernel ([`run`]);
//! - `f64` and `f64`: everything in the wider type, to see how much is lost to rounding;
//! - [`Dual`] and [`Dual`]: with derivatives along the direction in which the arguments are seeded.
//!
//! [`tolerances`] says how far a launch may come out different on another machine.

mod call;
mod cast;
mod dual;
mod elsewhere;
mod eval;
mod num;
mod number;
mod ops;
mod place;
pub mod pointwise;
mod races;
mod sums;
#[cfg(test)]
mod tests;
mod thread;
mod value;

pub use dual::Dual;
pub use elsewhere::{Machine, exaggeration, is_exact, tolerances, tolerances_of};
pub use number::Number;
pub use races::check_races;

use crate::analysis::summed;
use crate::check::CheckedKernel;
use crate::data::{Arg, Argument};
use crate::ir::{ParamId, ParamKind};
use sums::{Parts, Sums};
use thread::Thread;

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
pub fn run(kernel: &CheckedKernel, dim: &[usize], args: &mut [Arg]) -> Result<(), Fault> {
    run_with(kernel, dim, args, TRIPS)
}

/// Runs every thread of a launch of `dim`, in row-major order, with `S` and `D` for `f32` and `f64`. Floats that threads
/// add up, they add up in the order of [`Execution`](crate::analysis::Execution).
///
/// # Errors
/// The first error of the program, and the one that all its loops together make more than `trips` trips; `args` are then
/// as the threads up to it left them.
pub fn run_with<S: Number, D: Number>(
    kernel: &CheckedKernel,
    dim: &[usize],
    args: &mut [Argument<S, D>],
    trips: u64,
) -> Result<(), Fault> {
    check_launch(kernel, dim, args).map_err(|message| Fault { message, thread: Vec::new() })?;
    let mut sums = Sums::new(kernel, dim, args);
    let mut thread = Thread::new(kernel, dim, args, trips, None);
    for (number, tid) in row_major(dim).enumerate() {
        sums.start(number, thread.args);
        sums.exchange(&tid, thread.args);
        let result = thread.run(&tid);
        sums.exchange(&tid, thread.args);
        result.map_err(|message| Fault { message, thread: tid })?;
    }
    sums.finish(args);
    Ok(())
}

/// Runs the threads of a launch of `dim` whose indices `threads` gives, in that order, as [`run_with`] does all of them.
/// Where threads meet in atomics, they act on the arrays themselves, in that order.
///
/// # Errors
/// Those of [`run_with`].
pub fn run_in_order<S: Number, D: Number>(
    kernel: &CheckedKernel,
    dim: &[usize],
    args: &mut [Argument<S, D>],
    trips: u64,
    threads: impl IntoIterator<Item = Vec<usize>>,
) -> Result<(), Fault> {
    run_on(None, kernel, dim, args, trips, threads)
}

/// Runs threads as [`run_in_order`] does, on `machine` if there is one.
///
/// # Errors
/// Those of [`run_with`].
pub fn run_on<S: Number, D: Number>(
    machine: Option<Machine>,
    kernel: &CheckedKernel,
    dim: &[usize],
    args: &mut [Argument<S, D>],
    trips: u64,
    threads: impl IntoIterator<Item = Vec<usize>>,
) -> Result<(), Fault> {
    check_launch(kernel, dim, args).map_err(|message| Fault { message, thread: Vec::new() })?;
    let mut thread = Thread::new(kernel, dim, args, trips, machine);
    let threads = threads.into_iter();
    match machine.filter(|_| elsewhere::sums_are_open(kernel)) {
        None => thread.run_all(threads),
        Some(machine) => {
            let threads = machine.order(threads.collect());
            match machine.part() {
                None => thread.run_all(threads),
                Some(part) => {
                    let sums: Vec<ParamId> = summed(kernel).into_keys().collect();
                    threads.chunks(part).try_for_each(|threads| {
                        let parts = Parts::start(&sums, thread.args);
                        thread.run_all(threads.iter().cloned())?;
                        parts.finish(machine.stretch(), thread.args);
                        Ok(())
                    })
                }
            }
        }
    }
}

/// The indices of a box, in row-major order.
pub fn row_major(dim: &[usize]) -> impl Iterator<Item = Vec<usize>> {
    let first = (!dim.contains(&0)).then(|| vec![0; dim.len()]);
    std::iter::successors(first, |tid| {
        let mut next = tid.clone();
        advance(&mut next, dim).then_some(next)
    })
}

/// Goes to the next index of a box in row-major order; false after the last one.
fn advance(tid: &mut [usize], dim: &[usize]) -> bool {
    for (index, extent) in tid.iter_mut().zip(dim).rev() {
        *index += 1;
        if *index < *extent {
            return true;
        }
        *index = 0;
    }
    false
}

fn check_launch<S, D>(kernel: &CheckedKernel, dim: &[usize], args: &[Argument<S, D>]) -> Result<(), String> {
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
