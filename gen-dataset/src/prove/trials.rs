//! Trials: launches at the edges of a warp, each run again under conditions that must not change its result.
//!
//! The interpreter first runs a launch whose outputs start as zeros. It then runs the threads in the opposite order,
//! and every array that the kernel only writes starts as *poison*: NaN, or an integer that no kernel computes by
//! chance. An element that no thread writes stays poison. Every other element, and every input, must be the same as
//! after the first run. The CPU version, if there is one, also starts from poison and must give the same result.
//!
//! So a kernel that relies on zeroed outputs fails, and so does one whose result depends on the order of threads.

use super::launches::shapes;
use crate::model::{Agreement, Failure, Launch, Reason, agreement, not_finite, run_interpreter, same};
use crate::panics;
use kernel_ir::analysis::{AccessKind, accesses};
use kernel_ir::data::{Arg, Data};
use kernel_ir::ir::Kernel;
use kernel_ir::verify::VerifiedKernel;
use kernel_ir::{interp, sample};
use kernel_rt::KernelInfo;

/// The number of draws until a launch is not ill-conditioned.
const ROUNDS: u64 = 8;

/// A bit that is set in the seeds of trials, and in no seed of an example.
const TRIAL: u64 = 1 << 48;

/// The result of the trials of a kernel.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Trials {
    /// The sizes of the launches, the examples first.
    pub(crate) shapes: Vec<Vec<usize>>,
    /// Agreement of the interpreter with itself.
    pub(crate) again: Agreement,
    /// Agreement of the interpreter with the CPU version, if there is one.
    pub(crate) vs_cpu: Option<Agreement>,
}

/// Makes the trials of `kernel`. `examples` are its examples with the measured tolerances; `seed` gives a seed for the
/// inputs of each launch; `info` has the CPU version.
///
/// # Errors
/// The first launch that disagrees or fails.
pub(crate) fn tried(
    kernel: &VerifiedKernel,
    examples: &[(&Launch, &[Arg])],
    seed: impl Fn(u64) -> u64,
    info: Option<&KernelInfo>,
) -> Result<Trials, Failure> {
    let of_examples = examples
        .iter()
        .map(|(example, tolerances)| Ok((example.dim.clone(), trial(kernel, example, Some(tolerances), info)?)));
    let of_shapes = (0..).zip(shapes(kernel.dim)).map(|(number, dim)| {
        let seed = |round| seed(TRIAL | number << 8 | round);
        Ok((dim.to_vec(), well_conditioned_trial(kernel, dim, seed, info)?))
    });
    let mut trials = Trials { shapes: Vec::new(), again: Agreement::SAME, vs_cpu: info.map(|_| Agreement::SAME) };
    for tried in of_examples.chain(of_shapes) {
        let (dim, (again, vs_cpu)) = tried?;
        trials.shapes.push(dim);
        trials.again = trials.again.and(again);
        trials.vs_cpu = trials.vs_cpu.zip(vs_cpu).map(|(all, more)| all.and(more));
    }
    Ok(trials)
}

/// The agreement of one trial with the interpreter, and with the CPU version if there is one.
type Tried = (Agreement, Option<Agreement>);

/// Makes the trial of the first launch of size `dim` that is not ill-conditioned.
fn well_conditioned_trial(
    kernel: &VerifiedKernel,
    dim: &[usize],
    seed: impl Fn(u64) -> u64,
    info: Option<&KernelInfo>,
) -> Result<Tried, Failure> {
    let mut failure = (Reason::IllConditioned, String::new());
    for round in 0..ROUNDS {
        let before = sample::args(kernel, dim, seed(round)).map_err(|why| (Reason::NoInputs, why))?;
        let mut after = before.clone();
        run_interpreter(kernel, dim, &mut after).map_err(|fault| (Reason::Fault, fault))?;
        if let Some(why) = not_finite(kernel, dim, &before, &after) {
            return Err((Reason::NotFinite, why));
        }
        match trial(kernel, &Launch { dim: dim.to_vec(), before, after }, None, info) {
            Err(ill @ (Reason::IllConditioned, _)) => failure = ill,
            other => return other,
        }
    }
    Err(failure)
}

/// Runs `launch` from poison, once in the opposite order of threads and once by the CPU version. The CPU version uses
/// the math functions of std, so its result is compared with an interpreter run over std.
fn trial(
    kernel: &VerifiedKernel,
    launch: &Launch,
    tolerances: Option<&[Arg]>,
    info: Option<&KernelInfo>,
) -> Result<Tried, Failure> {
    let poison = poisoned(kernel, &launch.before);
    let backwards = interp::row_major(&launch.dim).rev();
    let mut found = poison.clone();
    interp::run_in_order(kernel, &launch.dim, &mut found, interp::TRIPS, backwards)
        .map_err(|fault| (Reason::Fault, format!("thread {:?}: {}", fault.thread, fault.message)))?;
    let expected = expected(launch, &poison, &found);
    let again = compare(kernel, launch, tolerances, &expected, &found, Reason::OrderDependent)?;
    let Some(info) = info else { return Ok((again, None)) };
    let (mut found, mut over_std) = (poison.clone(), poison);
    run_cpu(info, &launch.dim, &mut found).map_err(|failure| (Reason::CpuFailed, failure))?;
    interp::run_over_std(kernel, &launch.dim, &mut over_std)
        .map_err(|fault| (Reason::Fault, format!("thread {:?}: {}", fault.thread, fault.message)))?;
    let cpu = compare(kernel, launch, tolerances, &over_std, &found, Reason::Mismatch)?;
    Ok((again, Some(cpu)))
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
    let accesses = accesses(kernel);
    let is_only_written = |id| accesses.get(&id).is_none_or(|all| all.iter().all(|a| a.kind == AccessKind::Write));
    let mut args = before.to_vec();
    for ((id, param), arg) in kernel.param_ids().zip(&mut args) {
        if param.is_mutable() && is_only_written(id) {
            poison(&mut arg.data);
        }
    }
    args
}

/// Replaces all values by poison.
fn poison(data: &mut Data) {
    const WORD: u32 = 0x5a5a_a5a5;
    const WIDE: u64 = 0x5a5a_a5a5_5a5a_a5a5;
    match data {
        Data::Bool(v) => v.fill(true),
        Data::I32(v) => v.fill(WORD.cast_signed()),
        Data::U32(v) => v.fill(WORD),
        Data::I64(v) => v.fill(WIDE.cast_signed()),
        Data::U64(v) => v.fill(WIDE),
        Data::Index(v) => v.fill(WORD as usize),
        Data::F32(v) => v.fill(f32::NAN),
        Data::F64(v) => v.fill(f64::NAN),
    }
}

/// What a run that starts from `poison` must leave: the result of `launch`, except poison in elements that neither run
/// wrote.
fn expected(launch: &Launch, poison: &[Arg], found: &[Arg]) -> Vec<Arg> {
    fn mixed<T: Copy>(sides: [&[T]; 4], bits: impl Fn(T) -> u64) -> Vec<T> {
        let [before, after, poison, found] = sides;
        let is_left = |at: usize| bits(found[at]) == bits(poison[at]) && bits(after[at]) == bits(before[at]);
        (0..after.len()).map(|at| if is_left(at) { poison[at] } else { after[at] }).collect()
    }
    let arg = |((before, after), (poison, found)): ((&Arg, &Arg), (&Arg, &Arg))| {
        macro_rules! by_type {
            ($($variant:ident $bits:expr;)*) => {
                match (&before.data, &after.data, &poison.data, &found.data) {
                    $((Data::$variant(b), Data::$variant(a), Data::$variant(p), Data::$variant(f)) => {
                        Data::$variant(mixed([b, a, p, f], $bits))
                    })*
                    // Not reachable: a launch cannot change the type of an array.
                    (_, after, ..) => after.clone(),
                }
            };
        }
        let data = by_type! {
            Bool u64::from;
            I32 |value| value as u64;
            U32 u64::from;
            I64 i64::cast_unsigned;
            U64 |value| value;
            Index |value| value as u64;
            F32 |value| value.to_bits().into();
            F64 f64::to_bits;
        };
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
        let example = launch(kernel, &[16], |draw| draw)?;
        let tolerances = example.tolerances(kernel).unwrap();
        tried(kernel, &[(&example, &tolerances)], |seed| seed, Some(fixtures::info_with("math", "some", cpu)))
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
            let threads: Vec<usize> = shapes(axes).iter().map(|dim| dim.iter().product()).collect();
            assert!(shapes(axes).iter().all(|dim| dim.len() == usize::from(axes)));
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
        let example = launch(&wave, &[16], |draw| draw).unwrap();
        let tolerances = example.tolerances(&wave).unwrap();
        let trials = tried(&wave, &[(&example, &tolerances)], |seed| seed, None).unwrap();
        assert_eq!((trials.again.bit_equal, trials.vs_cpu), (true, None));
    }
}
