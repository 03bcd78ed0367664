//! Tests of the scorer: right answers of many shapes earn their reward, and cheats earn nothing.
//!
//! Both are made from the reference of a task, so that they are tried against kernels and adjoints with arrays, values,
//! structures, atomics and several axes.

mod cheats;
mod rewrites;

use super::sandbox::Sandbox;
use super::scorer::{Allowance, Prepared, Scorer};
use super::verdict::{Outcome, Verdict};
use crate::fixtures::skip;
use crate::judges::cxx::Compiler;
use kernel_rt::{KernelInfo, Pass};
use rayon::iter::{IntoParallelIterator, IntoParallelRefIterator, ParallelIterator};
use std::sync::LazyLock;

/// The multiples of the reference's work that an answer may do here, which are the defaults of the command.
const ALLOWANCE: Allowance = Allowance { work: 16.0, span: 8.0 };

/// The scorer, or what is not installed for it.
static SCORER: LazyLock<Result<Scorer, String>> = LazyLock::new(|| {
    Compiler::find("g++").ok_or("there is no `g++` in PATH")?;
    let sandbox = Sandbox::open(None)?;
    Ok(Scorer::open(sandbox, ALLOWANCE).expect("g++ builds the host program"))
});

fn scorer() -> &'static Scorer {
    SCORER.as_ref().expect("tests without a scorer are skipped")
}

/// Whether there is no scorer. That is printed.
fn lacks_scorer() -> bool {
    SCORER.as_ref().is_err_and(|why| {
        skip(why);
        true
    })
}

/// The tasks of the registered kernels, with their names. Those that cannot be scored are left out.
fn tasks(take: impl Fn(&KernelInfo) -> bool) -> Vec<(String, Prepared)> {
    kernels::link();
    let of_kernel = |info: &&'static KernelInfo| [(*info, Pass::Forward), (*info, Pass::Backward)];
    let all: Vec<_> = kernel_rt::registered_kernels().iter().filter(|info| take(info)).flat_map(of_kernel).collect();
    let prepare = |(info, pass): (&KernelInfo, Pass)| {
        let prepared = scorer().prepare(info.ir, 1, pass, 0).expect("the scorer works").ok()?;
        Some((format!("{} {pass:?}", info.name), prepared))
    };
    all.into_par_iter().filter_map(prepare).collect()
}

fn score(prepared: &Prepared, answer: &str) -> Verdict {
    scorer().score(prepared, answer).expect("the scorer works")
}

/// Every so many registered kernels are scored; all of them with `WEFT_FULL=1`.
fn step() -> usize {
    if std::env::var_os("WEFT_FULL").is_some() { 1 } else { 12 }
}

#[test]
fn references_and_their_rewrites_earn_their_reward() {
    if lacks_scorer() {
        return;
    }
    kernels::link();
    let names: Vec<&str> = kernel_rt::registered_kernels().iter().map(|info| info.name).collect();
    let tasks = tasks(|info| names.iter().position(|name| *name == info.name).is_some_and(|place| place % step() == 0));
    let answers: Vec<(&str, &Prepared, &str, String)> = tasks
        .iter()
        .flat_map(|(name, prepared)| {
            let rewritten = rewrites::all(prepared);
            rewritten.into_iter().map(move |(rewrite, answer)| (name.as_str(), prepared, rewrite, answer))
        })
        .collect();
    let failures: Vec<String> = answers
        .par_iter()
        .filter_map(|(name, prepared, rewrite, answer)| {
            let verdict = score(prepared, answer);
            (!verdict.correct).then(|| format!("{name}, {rewrite}: {verdict:?}\n"))
        })
        .collect();
    assert!(tasks.len() * step() > 250, "{} tasks can be scored", tasks.len());
    assert!(answers.len() > 300, "{} answers", answers.len());
    assert!(
        failures.is_empty(),
        "{} of {} answers earn nothing:\n{}",
        failures.len(),
        answers.len(),
        failures.concat()
    );
}

#[test]
fn cheats_earn_nothing() {
    if lacks_scorer() {
        return;
    }
    let chosen = ["complex_multiply", "global_sum", "matvec", "block_scan"];
    let tasks = tasks(|info| chosen.contains(&info.name));
    let tried: Vec<(&str, &str, bool, Verdict)> = tasks
        .par_iter()
        .flat_map(|(name, prepared)| {
            let all = cheats::all(prepared);
            assert!(all.len() >= 60, "{} cheats for {name}", all.len());
            // All cheats against one kernel and its adjoint; a sample against the others.
            let step = if name.starts_with("global_sum") { 1 } else { step() };
            let tried: Vec<_> = all.into_iter().step_by(step).collect();
            tried.into_par_iter().map(move |cheat| {
                let verdict = score(prepared, &cheat.answer);
                (name.as_str(), cheat.name, cheat.may_compile, verdict)
            })
        })
        .collect();
    let paid: Vec<String> = tried
        .iter()
        .filter(|(_, _, may_compile, verdict)| verdict.correct || (!may_compile && verdict.compiled))
        .map(|(name, cheat, _, verdict)| format!("{name}, {cheat}: {verdict:?}\n"))
        .collect();
    assert!(paid.is_empty(), "{}", paid.concat());
    // A verdict that no cheat ever gets would be a hole in this test.
    for outcome in [Outcome::Wrong, Outcome::TooMuchWork, Outcome::Crashed, Outcome::DoesNotCompile, Outcome::NoAnswer]
    {
        assert!(tried.iter().any(|(_, _, _, verdict)| verdict.outcome == outcome), "no cheat is {outcome:?}");
    }
    for (_, _, _, verdict) in &tried {
        assert!(!verdict.why.is_empty() && !verdict.why.contains('\n'), "{verdict:?}");
    }
}

#[test]
fn block_kernels_are_scored_and_need_their_barriers() {
    if lacks_scorer() {
        return;
    }
    let chosen = ["block_scan", "bitonic_sort", "block_histogram", "energy_by_cell", "softmax_rows"];
    let tasks = tasks(|info| chosen.contains(&info.name) && info.family == "shared");
    assert!(tasks.len() > 5, "{} tasks", tasks.len());
    for (name, prepared) in &tasks {
        let verdict = score(prepared, &prepared.text());
        assert_eq!(verdict.outcome, Outcome::Correct, "{name}: {verdict:?}");
        let without = prepared.text().replace("__syncthreads();", "");
        if without != prepared.text() {
            let verdict = score(prepared, &without);
            assert!(!verdict.correct, "{name} without barriers: {verdict:?}");
        }
        // One thread of each block does the work of all.
        let is_of_block = prepared.kernel().block.is_some();
        if is_of_block {
            let lazy = prepared.text().replace("threadIdx.x", "0u");
            assert!(!score(prepared, &lazy).correct, "{name} with one thread");
        }
    }
}

#[test]
fn a_verdict_is_the_same_beside_other_work() {
    if lacks_scorer() {
        return;
    }
    let tasks = tasks(|info| ["saxpy", "global_sum"].contains(&info.name));
    let answers: Vec<(&Prepared, String)> = tasks
        .iter()
        .flat_map(|(_, prepared)| {
            let rewrites = rewrites::all(prepared).into_iter().map(|(_, answer)| answer);
            let cheats = cheats::all(prepared).into_iter().filter(|cheat| !cheat.is_slow).map(|cheat| cheat.answer);
            rewrites.chain(cheats).step_by(3).map(move |answer| (prepared, answer))
        })
        .collect();
    let alone: Vec<Verdict> = answers.iter().take(40).map(|(prepared, answer)| score(prepared, answer)).collect();
    let stop = std::sync::atomic::AtomicBool::new(false);
    let beside: Vec<Verdict> = std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let mut sum = 0u64;
                while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                    sum = std::hint::black_box(sum.wrapping_mul(3).wrapping_add(1));
                }
            });
        }
        let scored = answers.iter().take(40).map(|(prepared, answer)| score(prepared, answer)).collect();
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
        scored
    });
    assert_eq!(alone, beside);
}
