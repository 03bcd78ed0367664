//! Random kernels: property tests of adjoints and of the interpreter.
//!
//! `WEFT_RANDOM_KERNELS=100000` sets the number of kernels and `WEFT_RANDOM_SEED=7` the first seed. To repeat a
//! failure, set its seed and `WEFT_RANDOM_KERNELS=1`.

mod affine;
mod features;
mod generate;
mod hostile;
mod shrink;

use crate::adjoint::backward;
use crate::rng::Rng;
use features::FEATURES;
use kernel_ir::back::rust;
use kernel_ir::data::Arg;
use kernel_ir::gradcheck::{Failure, Launch, differences, dot_product, order_is_free};
use kernel_ir::ir::{Kernel, StmtKind};
use kernel_ir::verify::VerifiedKernel;
use kernel_ir::{sample, text};
use shrink::shrink;
use std::cell::Cell;
use tests::report;

/// The number of kernels without `WEFT_RANDOM_KERNELS`.
const KERNELS: u64 = 2000;

/// The limit on the loop trips of a launch.
const TRIPS: u64 = 100_000;

/// The share of the kernels that may have a jump between two close points.
const JUMPS: f64 = 0.005;

/// The share of the kernels that may be constant along a direction.
const CONSTANT: f64 = 0.1;

/// The least number of [`KERNELS`] kernels that must have each feature.
const RARE: usize = 10;

/// A random kernel, verified, with a launch of it.
struct Case {
    seed: u64,
    kernel: VerifiedKernel,
    dim: Vec<usize>,
    args: Vec<Arg>,
}

impl Case {
    fn new(seed: u64) -> Case {
        let mut rng = Rng::new(!seed);
        let kernel = generate::kernel(seed, rng.pick(&[2, 4, 6, 9, 14, 20]));
        let dim = (0..kernel.dim).map(|_| rng.below(if kernel.dim == 1 { 6 } else { 3 }) + 1).collect();
        Case::of(seed, checked(kernel), dim)
    }

    /// The launch of `kernel` with this seed. Parameters of the same name get the same values as in the original.
    fn of(seed: u64, kernel: VerifiedKernel, dim: Vec<usize>) -> Case {
        let args = sample::args(&kernel, &dim, seed).unwrap_or_else(|why| panic!("seed {seed}: {why}"));
        Case { seed, kernel, dim, args }
    }

    fn launch(&self) -> Launch<'_> {
        Launch { dim: &self.dim, args: &self.args, trips: TRIPS, seed: self.seed }
    }
}

fn checked(kernel: Kernel) -> VerifiedKernel {
    let printed = text::print(&kernel);
    let checked = kernel_ir::verify::verify(kernel).unwrap_or_else(|mistakes| panic!("{mistakes:?}\n{printed}"));
    assert_eq!(text::parse(&printed).as_ref(), Ok(&*checked), "{printed}");
    checked
}

/// A failing kernel as Rust, to be copied into a test.
fn shown(kernel: &VerifiedKernel) -> String {
    rust::write(kernel)
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

/// The seeds of this run.
fn seeds() -> std::ops::Range<u64> {
    let first = setting("WEFT_RANDOM_SEED", 0);
    first..first + setting("WEFT_RANDOM_KERNELS", KERNELS)
}

/// Runs `judge` on every kernel of this run. A failure is reported with the smallest kernel that fails in the same way.
fn sweep(judge: impl Fn(&Case) -> Result<(), Failure>) {
    for seed in seeds() {
        let case = Case::new(seed);
        if let Err(failure) = judge(&case) {
            panic!("{}", explanation(&case, &failure, judge));
        }
    }
}

fn explanation(case: &Case, failure: &Failure, judge: impl Fn(&Case) -> Result<(), Failure>) -> String {
    let judge = |kernel: &VerifiedKernel| judge(&Case::of(case.seed, kernel.clone(), case.dim.clone()));
    let kind = std::mem::discriminant(failure);
    let smallest = shrink(&case.kernel, |kernel| judge(kernel).is_err_and(|why| std::mem::discriminant(&why) == kind));
    let why = judge(&smallest).err();
    format!(
        "random kernel {seed} fails over {dim:?}: {failure:?}\nshrunk, {why:?}:\n{kernel}\n\
         repeat with WEFT_RANDOM_SEED={seed} WEFT_RANDOM_KERNELS=1",
        seed = case.seed,
        dim = case.dim,
        kernel = shown(&smallest),
    )
}

#[test]
fn random_kernels_run_and_have_derivatives() {
    let (constant, jumps) = (Cell::new(0), Cell::new(0));
    sweep(|case| {
        order_is_free(&case.kernel, case.launch())?;
        let found = differences(&case.kernel, case.launch())?;
        constant.set(constant.get() + u64::from(found.tangent == 0.0));
        jumps.set(jumps.get() + u64::from(!found.agree));
        Ok(())
    });
    let (count, constant, jumps) = (seeds().count() as f64, constant.get(), jumps.get());
    report(&format!("{count} random kernels, {constant} without a derivative, {jumps} with a jump near"));
    assert!(constant as f64 <= 1.0 + CONSTANT * count);
    assert!(jumps as f64 <= 1.0 + JUMPS * count, "dual numbers and differences do not agree");
}

#[test]
fn adjoints_of_random_kernels_are_transposed_derivatives() {
    let refused = Cell::new(0);
    sweep(|case| match backward(&case.kernel) {
        Ok(adjoint) => dot_product(&case.kernel, &adjoint, case.launch()).map(drop),
        Err(why) if why.contains("no exact gradient") => {
            refused.set(refused.get() + 1);
            Ok(())
        }
        Err(why) => Err(Failure::Fault(why)),
    });
    let (count, refused) = (seeds().count(), refused.get());
    report(&format!("{count} random adjoints, {refused} refused"));
    assert!(refused * 20 <= count, "too many are refused to say much");
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
    let counts = FEATURES.iter().map(|(name, _)| name).zip(counts);
    let rare: Vec<_> = counts.filter(|(_, count)| *count < RARE).collect();
    assert!(rare.is_empty(), "rare: {rare:?}");
}

#[test]
fn a_failure_says_how_to_repeat_it() {
    // A judge that fails on every early exit of a loop, with two different messages.
    let judge = |case: &Case| {
        let mut found = Ok(());
        case.kernel.walk_stmts(&mut |stmt| match stmt.kind {
            StmtKind::Break => found = Err(Failure::Mismatch("break".to_owned())),
            StmtKind::Continue if found.is_ok() => found = Err(Failure::Fault("continue".to_owned())),
            _ => {}
        });
        found
    };
    let failed = |case: &Case| matches!(judge(case), Err(Failure::Mismatch(_)));
    let case = (0..).map(Case::new).find(failed).expect("one kernel in four has a `break`");
    let text = explanation(&case, &judge(&case).unwrap_err(), judge);
    // One loop is left, of whatever kind.
    assert!(text.contains("() {\n    ") && text.contains(" {\n        break;\n    }\n}\n"), "{text}");
    assert!(text.ends_with(&format!("WEFT_RANDOM_SEED={} WEFT_RANDOM_KERNELS=1", case.seed)), "{text}");
}
