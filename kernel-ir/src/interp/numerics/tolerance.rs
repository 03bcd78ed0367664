//! Runs of a launch in perturbed models, and the distances of their results.

use super::exact::is_exact;
use super::model::{MAGNITUDES, MARKS, MODELS, PerturbedModel};
use super::slack::{Slack, allowed};
use crate::data::{Arg, Argument, Data, Scalars, Share};
use crate::interp::number::Number;
use crate::interp::run::{NumberTypes, TRIPS, run_on};
use crate::interp::tid::{Tid, row_major};
use crate::interp::varied::Varied;
use crate::ir::{FloatFormat, Type};
use crate::verify::VerifiedKernel;

/// The limit of loop trips for models that perturb sums and products. An iteration that waits for a small difference
/// may never end in them. The loops over the elements of tiles end, and are long.
const REASSOCIATED_TRIPS: u64 = 1 << 16;

/// The tolerance of each number of each argument after the launch of `dim` that turns `before` into `after`. `threads`
/// gives the indices of its threads in order. A tolerance of 0 demands equal bits. The tolerances of floats of 16 bits are
/// `f32`.
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
        return Ok(after.iter().map(|arg| Arg::zeros(type_of_tolerance(arg.ty), &arg.shape)).collect());
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
    let trips = if reassociates && !kernel.has_tiles() { REASSOCIATED_TRIPS } else { TRIPS };
    let launch = Launch { kernel, dim, before, threads, trips };
    measure_with(&names, after, &slacks, reassociates, &launch)
}

/// A computation whose tolerances are measured: one launch, or several that build on each other.
pub trait Computation {
    /// Computes with numbers of these types in `model`.
    ///
    /// # Errors
    /// A sentence, if a launch fails.
    fn run<S, D>(&self, model: PerturbedModel) -> Result<Vec<Argument<S, D>>, String>
    where
        S: Number + Share,
        D: Number + Share,
        (S, D): NumberTypes<S, D>;
}

/// A launch of a kernel.
struct Launch<'a, T> {
    kernel: &'a VerifiedKernel,
    dim: &'a [usize],
    before: &'a [Arg],
    /// The indices of the threads in order.
    threads: T,
    /// The limit of loop trips.
    trips: u64,
}

impl<T: Fn() -> Vec<Tid>> Computation for Launch<'_, T> {
    fn run<S, D>(&self, model: PerturbedModel) -> Result<Vec<Argument<S, D>>, String>
    where
        S: Number + Share,
        D: Number + Share,
        (S, D): NumberTypes<S, D>,
    {
        let mut args: Vec<_> = self.before.iter().map(Argument::of_numbers).collect();
        run_on(Some(model), self.kernel, self.dim, &mut args, self.trips, (self.threads)())
            .map_err(|fault| fault.message)?;
        Ok(args)
    }
}

impl Arg {
    /// The argument with other types of numbers, which are constants.
    pub fn of_numbers<S: Number, D: Number>(&self) -> Argument<S, D> {
        self.map_floats(|x| S::constant((*x).into()), |x| D::constant(*x))
    }
}

/// The tolerances of the arrays `here` with these `names` and `slacks`, rounded up to two digits. `computation` computes
/// the same arrays.
///
/// # Errors
/// The numbers are ill-conditioned.
pub fn tolerances_of(
    names: &[&str],
    here: &[Arg],
    slacks: &[Slack],
    computation: &impl Computation,
) -> Result<Vec<Arg>, String> {
    measure_with(names, here, slacks, false, computation)
}

/// The tolerances of [`tolerances_of`]. If `reassociates`, the models stand for another form of the kernel.
fn measure_with(
    names: &[&str],
    here: &[Arg],
    slacks: &[Slack],
    reassociates: bool,
    computation: &impl Computation,
) -> Result<Vec<Arg>, String> {
    let in_model = |number| PerturbedModel { number, reassociates };
    let mut distances: Vec<Vec<f64>> = here.iter().map(|arg| vec![0.0; arg.data.len()]).collect();
    let mut widen_all = |there: &[Arg]| -> Result<(), String> {
        for (((name, here), there), distances) in names.iter().zip(here).zip(there).zip(&mut distances) {
            widen(distances, here, there).ok_or_else(|| undecided(name))?;
        }
        Ok(())
    };
    for number in 0..MODELS {
        let there = computation
            .run(in_model(number))
            .map_err(|why| format!("the launch fails or not by the last digits of a function: {why}"))?;
        widen_all(&there)?;
    }
    let mut marks: Option<Vec<Vec<bool>>> = None;
    for number in MARKS {
        // A loop that waits for a small difference runs to the limit of trips, in other draws as in this one.
        let Ok(run) = computation.run::<Varied<f32>, Varied<f64>>(in_model(number)) else { break };
        let there: Vec<Arg> = run.iter().map(|arg| arg.map_floats(|x| x.value, |x| x.value)).collect();
        widen_all(&there)?;
        let marks = marks.get_or_insert_with(|| run.iter().map(|arg| marks_of(&arg.data)).collect());
        // What is not marked rounds alike in all draws.
        if !marks.iter().flatten().any(|is_marked| *is_marked) {
            break;
        }
    }
    let has_sums = slacks.iter().any(|slack| slack.is_sum);
    let magnitudes: Option<Vec<Arg>> = has_sums.then(|| computation.run(in_model(MAGNITUDES)).ok()).flatten();
    let args = names.iter().zip(here).zip(distances).enumerate();
    args.map(|(place, ((name, here), distances))| {
        let slack = slacks[place];
        let marks = marks.as_ref().map(|marks| marks[place].as_slice());
        let magnitudes = magnitudes.as_ref().filter(|_| slack.is_sum).map(|run| &run[place].data);
        let format = here.ty.scalar().format().unwrap_or(FloatFormat::F64);
        let data = match &here.data {
            Data::F16(here) | Data::BF16(here) | Data::F32(here) => {
                let magnitudes = magnitudes.and_then(Data::singles).map(Vec::as_slice);
                allowed(here, format, marks, magnitudes, &distances, slack).map(Data::F32)
            }
            Data::F64(here) => {
                let magnitudes = magnitudes.and_then(Data::doubles).map(Vec::as_slice);
                allowed(here, format, marks, magnitudes, &distances, slack).map(Data::F64)
            }
            other @ (Data::Bool(_)
            | Data::Index(_)
            | Data::I8(_)
            | Data::U8(_)
            | Data::I16(_)
            | Data::U16(_)
            | Data::I32(_)
            | Data::U32(_)
            | Data::I64(_)
            | Data::U64(_)) => Some(Data::zeros(other.scalar(), other.len())),
        };
        let data = data.ok_or_else(|| undecided(name))?;
        Ok(Arg { ty: type_of_tolerance(here.ty), shape: here.shape.clone(), data })
    })
    .collect()
}

/// Which of the numbers are marked.
fn marks_of(data: &Scalars<Varied<f32>, Varied<f64>>) -> Vec<bool> {
    match data {
        Scalars::F16(numbers) | Scalars::BF16(numbers) | Scalars::F32(numbers) => {
            numbers.iter().map(|number| number.mark != 0).collect()
        }
        Scalars::F64(numbers) => numbers.iter().map(|number| number.mark != 0).collect(),
        // Integers are compared in all models.
        Scalars::Bool(_)
        | Scalars::I8(_)
        | Scalars::U8(_)
        | Scalars::I16(_)
        | Scalars::U16(_)
        | Scalars::I32(_)
        | Scalars::U32(_)
        | Scalars::I64(_)
        | Scalars::U64(_)
        | Scalars::Index(_) => Vec::new(),
    }
}

/// The type of the tolerances of numbers of type `ty`. A tolerance would lose digits in 16 bits.
pub fn type_of_tolerance(ty: Type) -> Type {
    Type { scalar: ty.scalar.computed_in(), ..ty }
}

fn undecided(name: &str) -> String {
    format!("`{name}` hangs on the last digits of a function")
}

/// Raises `distances` to the distances between `here` and `there`; `None` if the values are not comparable.
fn widen(distances: &mut [f64], here: &Arg, there: &Arg) -> Option<()> {
    fn each<F: Number>(distances: &mut [f64], here: &[F], there: &[F], least: f64) -> Option<()> {
        for ((distance, here), there) in distances.iter_mut().zip(here).zip(there) {
            let (here, there) = (here.value(), there.value());
            if here.to_bits() == there.to_bits() || (here.is_nan() && there.is_nan()) {
                continue;
            }
            if here == there {
                *distance = distance.max(least);
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
    let format = here.ty.scalar().format();
    match (&here.data, &there.data) {
        (Data::F16(this), Data::F16(that))
        | (Data::BF16(this), Data::BF16(that))
        | (Data::F32(this), Data::F32(that)) => each(distances, this, that, format?.least()),
        (Data::F64(this), Data::F64(that)) => each(distances, this, that, format?.least()),
        (here, there) => (here == there).then_some(()),
    }
}
