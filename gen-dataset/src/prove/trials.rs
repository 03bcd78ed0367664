//! Trials: launches at the edges of a warp, each run again under conditions that must not change its result.
//!
//! The interpreter first runs a launch whose outputs start as zeros. It then runs the threads in the opposite order,
//! and every array that the kernel only writes starts as *poison*: NaN, or an integer that no kernel computes by
//! chance. An element that no thread writes stays poison. Every other element, and every input, must be the same as
//! after the first run. The CPU version, if there is one, also starts from poison and must give the same result.
//!
//! So a kernel that relies on zeroed outputs fails, and so does one whose result depends on the order of threads.
//!
//! The gradients of each launch are compared with dual numbers. If the launches together leave a statement out, or a
//! gradient at zero, further inputs are drawn, in every [`Style`]; those that cover something new become trials, too.

use super::coverage::{Covered, Differentiated};
use super::gradient::{self, unless_ill_conditioned};
use super::launches::shapes;
use crate::model::{
    AdjointErrors, Agreement, CoverageCheck, Failure, LAUNCHES, Launch, Reason, agreement, all_finite, gradients_of,
    not_finite, run_interpreter, same,
};
use crate::panics;
use kernel_ir::adjoint::Backward;
use kernel_ir::analysis::{AccessKind, accesses};
use kernel_ir::data::{Arg, Data};
use kernel_ir::gradcheck;
use kernel_ir::ir::{Kernel, Param, SizeExpr, ValueRange};
use kernel_ir::sample::Style;
use kernel_ir::verify::VerifiedKernel;
use kernel_ir::{interp, sample};
use kernel_rt::KernelInfo;

/// The number of draws until a launch is not ill-conditioned.
const ROUNDS: u64 = 8;

/// A bit that is set in the seeds of trials, and in no seed of an example.
const TRIAL: u64 = 1 << 48;

/// A bit that is set in the seeds of further trials, and in no other seed.
const FURTHER: u64 = 1 << 49;

/// The number of further inputs that are drawn if something is not covered.
const FURTHER_DRAWS: u64 = 50;

/// The position of the largest size among [`shapes`].
const LARGEST: usize = 3;

/// A kernel to try.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject<'a> {
    pub(crate) kernel: &'a VerifiedKernel,
    pub(crate) backward: Option<&'a Backward>,
    /// The entry of the registry, with the CPU versions.
    pub(crate) info: Option<&'a KernelInfo>,
}

/// An example of the kernel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Proven<'a> {
    pub(crate) launch: &'a Launch,
    /// The measured tolerances of the launch.
    pub(crate) tolerances: &'a [Arg],
    pub(crate) gradients: Option<Differentiated<'a>>,
}

/// The result of the trials of a kernel.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Trials {
    /// The sizes of the launches, the examples first.
    pub(crate) shapes: Vec<Vec<usize>>,
    /// Agreement of the interpreter with itself.
    pub(crate) again: Agreement,
    /// Agreement of the interpreter with the CPU version, if there is one.
    pub(crate) vs_cpu: Option<Agreement>,
    /// The errors of the gradients in the launches that are no examples, if there is an adjoint.
    pub(crate) adjoint: Option<AdjointErrors>,
    /// What all launches have executed.
    pub(crate) coverage: CoverageCheck,
}

/// Makes the trials of a kernel. `examples` are its examples; `seed` gives a seed for the inputs of each launch.
///
/// # Errors
/// The first launch that disagrees or fails.
pub(crate) fn tried(
    subject: Subject<'_>,
    examples: &[Proven<'_>],
    seed: impl Fn(u64) -> u64,
) -> Result<Trials, Failure> {
    let Subject { kernel, backward, info } = subject;
    let mut covered = Covered::new(kernel, backward);
    let mut made = Made::default();
    for Proven { launch, tolerances, gradients } in examples {
        covered.add(launch, *gradients);
        made.add(&launch.dim, trial(subject, launch, Some(tolerances))?);
    }
    for (number, dim) in (0..).zip(shapes(kernel)) {
        let seed = |round| seed(TRIAL | number << 8 | round);
        made.add(dim, well_conditioned_trial(subject, dim, seed, &mut covered)?);
    }
    for draw in 0..FURTHER_DRAWS {
        if covered.is_complete() {
            break;
        }
        let (round, style) = (draw as usize / Style::ALL.len(), draw as usize % Style::ALL.len());
        // The larger sizes first: more threads reach more.
        let dim = shapes(kernel)[(LARGEST + round) % LAUNCHES];
        let style = Style::ALL[style];
        if let Some(tried) = further_trial(subject, dim, style, seed(FURTHER | draw), &mut covered)? {
            made.add(dim, tried);
        }
    }
    Ok(made.trials(info.is_some(), covered))
}

/// What the trials so far have shown.
#[derive(Default)]
struct Made {
    shapes: Vec<Vec<usize>>,
    tried: Vec<Tried>,
}

impl Made {
    fn add(&mut self, dim: &[usize], tried: Tried) {
        self.shapes.push(dim.to_vec());
        self.tried.push(tried);
    }

    fn trials(self, has_cpu: bool, covered: Covered<'_>) -> Trials {
        let written = self.tried.iter().fold([0, 0], |[some, all], tried| {
            let [written, elements] = tried.elements;
            [some + written, all + elements]
        });
        Trials {
            again: self.tried.iter().fold(Agreement::SAME, |all, tried| all.and(tried.again)),
            vs_cpu: has_cpu
                .then(|| self.tried.iter().filter_map(|tried| tried.vs_cpu).fold(Agreement::SAME, Agreement::and)),
            adjoint: self.tried.iter().filter_map(|tried| tried.adjoint).reduce(AdjointErrors::and),
            coverage: covered.check(written),
            shapes: self.shapes,
        }
    }
}

/// The result of one trial.
struct Tried {
    /// The agreement of the interpreter with itself.
    again: Agreement,
    /// The agreement with the CPU version, if there is one.
    vs_cpu: Option<Agreement>,
    /// The number of elements that were written in the arrays that the kernel only writes, and the number of all.
    elements: [usize; 2],
    /// The errors of the gradients, unless the launch is an example.
    adjoint: Option<AdjointErrors>,
}

/// Makes the trial of the first launch of size `dim` that is not ill-conditioned.
fn well_conditioned_trial(
    subject: Subject<'_>,
    dim: &[usize],
    seed: impl Fn(u64) -> u64,
    covered: &mut Covered<'_>,
) -> Result<Tried, Failure> {
    let kernel = subject.kernel;
    let mut failure = (Reason::IllConditioned, String::new());
    for round in 0..ROUNDS {
        let before = sample::args(kernel, dim, seed(round)).map_err(|why| (Reason::NoInputs, why))?;
        let launch = launched(kernel, dim, before)?;
        if let Some(why) = not_finite(kernel, dim, &launch.before, &launch.after) {
            return Err((Reason::NotFinite, why));
        }
        match whole_trial(subject, &launch, seed(round), covered) {
            Err(ill @ (Reason::IllConditioned, _)) => failure = ill,
            other => return other,
        }
    }
    Err(failure)
}

/// Makes the trial of a launch of size `dim` if it covers something new. Such a launch may be unusual, so one whose
/// results are not defined is left out.
fn further_trial(
    subject: Subject<'_>,
    dim: &[usize],
    style: Style,
    seed: u64,
    covered: &mut Covered<'_>,
) -> Result<Option<Tried>, Failure> {
    let Subject { kernel, backward, .. } = subject;
    let Ok(before) = sample::args_in_style(kernel, dim, seed, style) else { return Ok(None) };
    let launch = launched(kernel, dim, before)?;
    if !all_finite(&launch.after) {
        return Ok(None);
    }
    let weights = |id| gradcheck::weights(kernel, &launch.before, seed, id);
    let run = backward.map(|backward| launch.backward(kernel, backward, weights)).transpose();
    let run = run.map_err(|why| (Reason::AdjointFault, why))?;
    let gradients = run.zip(backward).map(|(run, backward)| {
        let gradients = gradients_of(backward, &launch, run.gradients.after.clone());
        (run, gradients)
    });
    if !covered.clone().add(&launch, gradients.as_ref().map(|(run, gradients)| (run, &**gradients))) {
        return Ok(None);
    }
    match whole_trial(subject, &launch, seed, covered) {
        Err((Reason::IllConditioned | Reason::NotFinite | Reason::ComputedZero, _)) => Ok(None),
        other => other.map(Some),
    }
}

fn launched(kernel: &VerifiedKernel, dim: &[usize], before: Vec<Arg>) -> Result<Launch, Failure> {
    let mut after = before.clone();
    run_interpreter(kernel, dim, &mut after).map_err(|fault| (Reason::Fault, fault))?;
    Ok(Launch { dim: dim.to_vec(), before, after })
}

/// Makes the trial of `launch` and of its adjoint, and notes what they cover.
fn whole_trial(subject: Subject<'_>, launch: &Launch, seed: u64, covered: &mut Covered<'_>) -> Result<Tried, Failure> {
    let Subject { kernel, backward, info } = subject;
    let tried = trial(subject, launch, None)?;
    let Some(backward) = backward else {
        covered.add(launch, None);
        return Ok(tried);
    };
    let cpu = info.and_then(|info| info.backward).map(|backward| backward.cpu);
    let of_launch = |(reason, why)| (reason, format!("launch {:?}: {why}", launch.dim));
    let compared = gradient::compare(kernel, backward, launch, seed, cpu).map_err(of_launch)?;
    covered.add(launch, Some((&compared.run, &compared.gradients)));
    Ok(Tried { adjoint: Some(compared.errors), ..tried })
}

/// Runs `launch` from poison, once in the opposite order of threads and once by the CPU version. The CPU version uses
/// the math functions of std, so its result is compared with an interpreter run over std.
fn trial(subject: Subject<'_>, launch: &Launch, tolerances: Option<&[Arg]>) -> Result<Tried, Failure> {
    let Subject { kernel, info, .. } = subject;
    let poison = poisoned(kernel, &launch.before);
    let backwards = interp::row_major(&launch.dim).rev();
    let mut found = poison.clone();
    interp::run_in_order(kernel, &launch.dim, &mut found, interp::TRIPS, backwards)
        .map_err(|fault| (Reason::Fault, format!("thread {:?}: {}", fault.thread, fault.message)))?;
    let expected = expected(launch, &poison, &found);
    let again = compare(kernel, launch, tolerances, &expected, &found, Reason::OrderDependent)?;
    let elements = written(kernel, &poison, &found);
    let Some(info) = info else { return Ok(Tried { again, vs_cpu: None, elements, adjoint: None }) };
    let (mut found, mut over_std) = (poison.clone(), poison);
    run_cpu(info, &launch.dim, &mut found).map_err(|failure| (Reason::CpuFailed, failure))?;
    interp::run_over_std(kernel, &launch.dim, &mut over_std)
        .map_err(|fault| (Reason::Fault, format!("thread {:?}: {}", fault.thread, fault.message)))?;
    let vs_cpu = unless_ill_conditioned(compare(kernel, launch, tolerances, &over_std, &found, Reason::Mismatch))?;
    Ok(Tried { again, vs_cpu, elements, adjoint: None })
}

/// Compares `found` with `expected`; a disagreement is reported as `reason`. If the tolerances are not known, they are
/// measured only where bits differ, because that takes longer than all other steps.
fn compare(
    kernel: &VerifiedKernel,
    launch: &Launch,
    tolerances: Option<&[Arg]>,
    expected: &[Arg],
    found: &[Arg],
    reason: Reason,
) -> Result<Agreement, Failure> {
    let names = || kernel.params.iter().map(|param| param.name.as_str());
    let wrong = |why: String| (reason, format!("launch {:?}: {why}", launch.dim));
    match tolerances {
        Some(tolerances) => agreement(names(), found, expected, tolerances).map_err(wrong),
        None if same(names(), found, expected).is_ok() => Ok(Agreement::SAME),
        None => {
            let measured = launch.tolerances(kernel).map_err(|why| (Reason::IllConditioned, why))?;
            agreement(names(), found, expected, &measured).map_err(wrong)
        }
    }
}

/// The arguments with poison in every array that the kernel only writes.
fn poisoned(kernel: &Kernel, before: &[Arg]) -> Vec<Arg> {
    let mut args = before.to_vec();
    for ((is_only_written, param), arg) in only_written(kernel).zip(&kernel.params).zip(&mut args) {
        if is_only_written {
            poison(&mut arg.data, last_integer(param));
        }
    }
    args
}

/// For each parameter, whether it is an array that the kernel only writes.
fn only_written(kernel: &Kernel) -> impl Iterator<Item = bool> {
    let accesses = accesses(kernel);
    let is_only_written = move |id| accesses.get(&id).is_none_or(|all| all.iter().all(|a| a.kind == AccessKind::Write));
    kernel.param_ids().map(move |(id, param)| param.is_mutable() && is_only_written(id))
}

/// The number of scalars in the arrays that the kernel only writes that are no longer `poison` in `found`, and the
/// number of all.
fn written(kernel: &Kernel, poison: &[Arg], found: &[Arg]) -> [usize; 2] {
    let arrays = only_written(kernel).zip(poison.iter().zip(found)).filter(|(is_only_written, _)| *is_only_written);
    arrays.fold([0, 0], |[some, all], (_, (poison, found))| {
        [some + differing(&poison.data, &found.data), all + found.data.len()]
    })
}

/// The number of scalars that differ in bits.
fn differing(a: &Data, b: &Data) -> usize {
    bits(a).iter().zip(bits(b)).filter(|(a, b)| **a != *b).count()
}

/// The bits of each scalar.
fn bits(data: &Data) -> Vec<u64> {
    match data {
        Data::Bool(v) => v.iter().map(|x| u64::from(*x)).collect(),
        Data::I8(v) => v.iter().map(|x| *x as u64).collect(),
        Data::U8(v) => v.iter().map(|x| u64::from(*x)).collect(),
        Data::I16(v) => v.iter().map(|x| *x as u64).collect(),
        Data::U16(v) => v.iter().map(|x| u64::from(*x)).collect(),
        Data::I32(v) => v.iter().map(|x| *x as u64).collect(),
        Data::U32(v) => v.iter().map(|x| u64::from(*x)).collect(),
        Data::I64(v) => v.iter().map(|x| x.cast_unsigned()).collect(),
        Data::U64(v) => v.clone(),
        Data::Index(v) => v.iter().map(|x| *x as u64).collect(),
        Data::F16(v) | Data::BF16(v) | Data::F32(v) => v.iter().map(|x| u64::from(x.to_bits())).collect(),
        Data::F64(v) => v.iter().map(|x| x.to_bits()).collect(),
    }
}

/// The last integer of the parameter's domain: a launch refuses numbers that no variant of an enum has.
fn last_integer(param: &Param) -> Option<i64> {
    match param.domain.as_ref().map(|domain| &domain.range) {
        Some(ValueRange::Int { high: SizeExpr::Literal(high), .. }) => high.checked_sub(1),
        Some(ValueRange::Int { .. } | ValueRange::Float { .. } | ValueRange::Bool) | None => None,
    }
}

/// Replaces all values by poison: integers by `integer`, if there is one.
fn poison(data: &mut Data, integer: Option<i64>) {
    let integer = integer.unwrap_or(0x5a5a_a5a5_5a5a_a5a5);
    match data {
        Data::Bool(v) => v.fill(true),
        Data::I8(v) => v.fill(integer as i8),
        Data::U8(v) => v.fill(integer as u8),
        Data::I16(v) => v.fill(integer as i16),
        Data::U16(v) => v.fill(integer as u16),
        Data::I32(v) => v.fill(integer as i32),
        Data::U32(v) => v.fill(integer as u32),
        Data::I64(v) => v.fill(integer),
        Data::U64(v) => v.fill(integer as u64),
        Data::Index(v) => v.fill(integer as u32 as usize),
        Data::F16(v) | Data::BF16(v) | Data::F32(v) => v.fill(f32::NAN),
        Data::F64(v) => v.fill(f64::NAN),
    }
}

/// What a run that starts from `poison` must leave: the result of `launch`, except poison in elements that neither run
/// wrote.
fn expected(launch: &Launch, poison: &[Arg], found: &[Arg]) -> Vec<Arg> {
    let arg = |((before, after), (poison, found)): ((&Arg, &Arg), (&Arg, &Arg))| {
        let [b, a, p, f] = [before, after, poison, found].map(|arg| bits(&arg.data));
        let is_left = |at: usize| f[at] == p[at] && a[at] == b[at];
        macro_rules! by_type {
            ($($variant:ident)*) => {
                match (&after.data, &poison.data) {
                    $((Data::$variant(after), Data::$variant(poison)) => {
                        Data::$variant((0..after.len()).map(|at| if is_left(at) { poison[at] } else { after[at] }).collect())
                    })*
                    // Not reachable: a launch cannot change the type of an array.
                    (after, _) => after.clone(),
                }
            };
        }
        let data = by_type!(Bool I8 U8 I16 U16 I32 U32 I64 U64 Index F16 BF16 F32 F64);
        Arg { ty: after.ty, shape: after.shape.clone(), data }
    };
    launch.before.iter().zip(&launch.after).zip(poison.iter().zip(found)).map(arg).collect()
}

/// Runs the CPU version of `info`.
///
/// # Errors
/// Why the CPU version refused the launch, or the message of its panic.
fn run_cpu(info: &KernelInfo, dim: &[usize], args: &mut [Arg]) -> Result<(), String> {
    match panics::caught(|| (info.cpu)(dim, args)) {
        Ok(Ok(())) => Ok(()),
        Ok(Err(refused)) => Err(refused.to_string()),
        Err(words) => Err(format!("it panicked: {words}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures;
    use crate::prove::launches::launch;
    use crate::prove::launches::shapes;
    use kernel_ir::front;
    use kernel_rt::LaunchError;

    /// Writes an element only where the input is positive.
    const SOME: &str = r#"
#[kernel(family = "math")]
fn some(x: &[f32], y: &mut [f32]) {
    let i = tid();
    if x[i] > 0.0 {
        y[i] = x[i] * 2.0;
    }
}"#;

    /// All threads write one element; the last one wins.
    const RACE: &str = r#"
#[kernel(family = "math")]
fn race(x: &[f32], y: &mut [f32]) {
    let i = tid();
    let k = (i * 5) % 3;
    if k < y.len() {
        y[k] = x[i];
    }
}"#;

    fn kernel(source: &str) -> Result<VerifiedKernel, String> {
        front::compile_file(source.parse().unwrap()).map_err(|mistakes| format!("{mistakes:?}"))
    }

    type Cpu = fn(&[usize], &mut [Arg]) -> Result<(), LaunchError>;

    /// The result of the trials of `kernel` with `cpu` as its CPU version.
    fn tried_with(kernel: &VerifiedKernel, cpu: Cpu) -> Result<Trials, Failure> {
        tried_as(Subject { kernel, backward: None, info: Some(fixtures::info_with("math", "some", cpu)) })
    }

    fn tried_as(subject: Subject<'_>) -> Result<Trials, Failure> {
        let example = launch(subject.kernel, &[16], |draw| draw)?;
        let tolerances = example.tolerances(subject.kernel).unwrap();
        tried(subject, &[Proven { launch: &example, tolerances: &tolerances, gradients: None }], |seed| seed)
    }

    fn floats(args: &mut [Arg]) -> (&mut Vec<f32>, &mut Vec<f32>) {
        match args {
            [Arg { data: Data::F32(x), .. }, Arg { data: Data::F32(y), .. }] => (x, y),
            _ => panic!("two arrays of floats"),
        }
    }

    fn right(_: &[usize], args: &mut [Arg]) -> Result<(), LaunchError> {
        let (x, y) = floats(args);
        x.iter().zip(y).filter(|(x, _)| **x > 0.0).for_each(|(x, y)| *y = x * 2.0);
        Ok(())
    }

    #[test]
    fn launches_are_at_the_edges_of_a_warp() {
        for axes in 1..=4 {
            let kernel = Kernel { dim: axes, ..Kernel::clone(&kernel(SOME).unwrap()) };
            let threads: Vec<usize> = shapes(&kernel).iter().map(|dim| dim.iter().product()).collect();
            assert!(shapes(&kernel).iter().all(|dim| dim.len() == usize::from(axes)));
            assert!([1, 31, 32, 33].iter().all(|edge| threads.contains(edge)), "{threads:?}");
        }
    }

    #[test]
    fn what_is_right_agrees_in_all_launches() {
        let trials = tried_with(&kernel(SOME).unwrap(), right).unwrap();
        assert_eq!((trials.shapes.len(), trials.again, trials.vs_cpu), (6, Agreement::SAME, Some(Agreement::SAME)));
    }

    #[test]
    fn what_is_wrong_shows_under_poison() {
        let zeros: Cpu = |dim, args| {
            // Right only if the outputs start as zeros.
            floats(args).1.fill(0.0);
            right(dim, args)
        };
        let nothing: Cpu = |_, _| Ok(());
        let nan: Cpu = |dim, args| {
            right(dim, args)?;
            let (x, y) = floats(args);
            x.iter().zip(y).filter(|(x, _)| **x > 0.5).for_each(|(_, y)| *y = f32::NAN);
            Ok(())
        };
        let input: Cpu = |dim, args| {
            right(dim, args)?;
            floats(args).0[0] = 0.25;
            Ok(())
        };
        let whole_warps: Cpu = |dim, args| {
            let kept = floats(args).1.clone();
            right(dim, args)?;
            let (_, y) = floats(args);
            let warps = if y.len() > 32 { 32 } else { y.len() };
            y[warps..].copy_from_slice(&kept[warps..]);
            Ok(())
        };
        for wrong in [zeros, nothing, nan, input, whole_warps] {
            let (reason, why) = tried_with(&kernel(SOME).unwrap(), wrong).unwrap_err();
            assert_eq!(reason, Reason::Mismatch, "{why}");
        }
    }

    #[test]
    fn threads_that_overwrite_each_other_are_noticed() {
        let race = kernel(RACE).unwrap();
        assert_eq!(tried_with(&race, |_, _| Ok(())).unwrap_err().0, Reason::OrderDependent);
    }

    #[test]
    fn sums_are_not_poisoned() {
        let wave = fixtures::wave();
        let trials = tried_as(Subject { kernel: &wave, backward: None, info: None }).unwrap();
        assert_eq!((trials.again.bit_equal, trials.vs_cpu), (true, None));
    }
}
