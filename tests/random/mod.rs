//! Random kernels find what nobody thought of.
//!
//! `WEFT_RANDOM_KERNELS=100000` makes that many; `WEFT_RANDOM_SEED=7` starts with that number, and so repeats a failure
//! with `WEFT_RANDOM_KERNELS=1`.

mod check;
mod dice;
mod features;
mod generate;
mod shrink;

use check::{Failure, Launch, differences_agree};
use dice::Dice;
use features::FEATURES;
use kernel_ir::check::CheckedKernel;
use kernel_ir::data::Arg;
use kernel_ir::ir::Kernel;
use kernel_ir::{sample, text};
use tests::report;

/// How many kernels a run makes that is not told otherwise.
const KERNELS: u64 = 2000;

/// How many trips of loops a launch of a random kernel may make.
const TRIPS: u64 = 100_000;

/// The part of the kernels that may have a jump between two close points.
const JUMPS: f64 = 0.02;

/// In how many of [`KERNELS`] kernels a feature stands at least.
const RARE: usize = 10;

/// A random kernel, checked, with a launch of it.
struct Case {
    seed: u64,
    kernel: CheckedKernel,
    dim: Vec<usize>,
    args: Vec<Arg>,
}

impl Case {
    fn new(seed: u64) -> Case {
        let mut dice = Dice::new(!seed);
        let kernel = generate::kernel(seed, dice.pick(&[2, 4, 6, 9, 14, 20]));
        let dim = (0..kernel.dim).map(|_| dice.below(if kernel.dim == 1 { 6 } else { 3 }) + 1).collect();
        Case::of(seed, checked(kernel), dim)
    }

    /// That launch of `kernel`; parameters of the same name get the same values.
    fn of(seed: u64, kernel: CheckedKernel, dim: Vec<usize>) -> Case {
        let args = sample::args(&kernel, &dim, seed).unwrap_or_else(|why| panic!("seed {seed}: {why}"));
        Case { seed, kernel, dim, args }
    }

    fn launch(&self) -> Launch<'_> {
        Launch { dim: &self.dim, args: &self.args, trips: TRIPS, seed: self.seed }
    }
}

fn checked(kernel: Kernel) -> CheckedKernel {
    let printed = text::print(&kernel);
    let checked = kernel_ir::check::check(kernel).unwrap_or_else(|mistakes| panic!("{mistakes:?}\n{printed}"));
    assert_eq!(text::parse(&printed).as_ref(), Ok(&*checked), "{printed}");
    checked
}

/// How a failing kernel is shown.
fn shown(kernel: &CheckedKernel) -> String {
    text::print(kernel)
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

/// The numbers of the kernels of this run.
fn seeds() -> std::ops::Range<u64> {
    let first = setting("WEFT_RANDOM_SEED", 0);
    first..first + setting("WEFT_RANDOM_KERNELS", KERNELS)
}

/// Shrinks the kernel of a case that fails in some way while it fails in that way.
fn fail(case: &Case, failure: &Failure, judge: impl Fn(&Case) -> Result<(), Failure>) -> ! {
    let alike = |kernel: &CheckedKernel| {
        let smaller = Case::of(case.seed, kernel.clone(), case.dim.clone());
        judge(&smaller).is_err_and(|other| std::mem::discriminant(&other) == std::mem::discriminant(failure))
    };
    let smallest = shrink::shrink(&case.kernel, alike);
    let why = judge(&Case::of(case.seed, smallest.clone(), case.dim.clone()));
    panic!(
        "kernel {} fails: {failure:?}\nlaunched over {:?}; shrunk:\n{}\n{why:?}\n\
         repeat with WEFT_RANDOM_SEED={} WEFT_RANDOM_KERNELS=1 cargo test -p tests random",
        case.seed,
        case.dim,
        shown(&smallest),
        case.seed
    );
}

#[test]
fn random_kernels_run_and_have_derivatives() {
    let start = std::time::Instant::now();
    let mut jumps = Vec::new();
    for seed in seeds() {
        let case = Case::new(seed);
        match differences_agree(&case.kernel, case.launch()) {
            Ok(true) => {}
            Ok(false) => jumps.push(seed),
            Err(failure) => {
                fail(&case, &failure, |case| differences_agree(&case.kernel, case.launch()).map(|_| ()));
            }
        }
    }
    let count = seeds().count();
    report(&format!("{count} random kernels; {} with a jump {:?} {:?}", jumps.len(), jumps, start.elapsed()));
    assert!(jumps.len() as f64 <= 1.0 + JUMPS * count as f64, "dual numbers and differences do not agree: {jumps:?}");
}

#[test]
fn random_kernels_have_every_feature() {
    let mut counts = [0; FEATURES.len()];
    for seed in 0..KERNELS {
        let kernel = Case::new(seed).kernel;
        for (count, (_, holds)) in counts.iter_mut().zip(FEATURES) {
            *count += usize::from(holds(&kernel));
        }
    }
    for ((name, _), count) in FEATURES.iter().zip(counts) {
        report(&format!("{name} {count}"));
    }
    let rare: Vec<_> =
        FEATURES.iter().zip(counts).filter(|(_, count)| *count < RARE).map(|((name, _), _)| name).collect();
    assert!(rare.is_empty(), "rare: {rare:?}");
}
