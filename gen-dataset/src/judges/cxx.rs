//! The judge `cxx`: host C++ compilers compile and run the C++ and the CUDA text, with checks for accesses out of bounds
//! and undefined behaviour.
//!
//! 1. Many kernels go into one source file, each in a namespace of its own.
//! 2. Each compiler builds a server program from the file (`server.rs`, `harness.h`).
//! 3. The server makes the launches, and the results are compared with the recorded ones.
//!
//! `CUDA_ON_HOST` defines the CUDA keywords and functions on the host. So the shipped CUDA text itself runs, once on
//! each of several grids (`grid.rs`).

mod compiler;
mod grid;
mod server;
mod wire;

use compiler::Checks;
pub use compiler::{Compiler, Dialect};
pub use grid::Grid;
pub use server::Server;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub(crate) use wire::{decode, encode};

use super::bisect::{Bisected, compile_most};
use super::case::{Case, Difference};
use super::judge::Judge;
use crate::model::{JudgeKind, Launch, Outcome};
use kernel_ir::data::Arg;
use kernel_ir::interp;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use std::cell::OnceCell;
use std::collections::BTreeSet;

/// The compilers to use, if they are installed.
pub(crate) const COMPILERS: [&str; 2] = ["g++", "clang++"];

/// The number of kernels in one program.
const BATCH: usize = 256;

/// The installed compilers.
pub struct Cxx {
    compilers: Vec<Compiler>,
    undecided: usize,
}

impl Cxx {
    /// Finds the compilers.
    ///
    /// # Errors
    /// No C++ compiler is installed.
    pub fn open() -> Result<Cxx, String> {
        let compilers: Vec<Compiler> = COMPILERS.iter().filter_map(|name| Compiler::find(name)).collect();
        match compilers.is_empty() {
            false => Ok(Cxx { compilers, undecided: 0 }),
            true => {
                Err(format!("there is neither {}; `scripts/install-judges.sh` installs them", COMPILERS.join(" nor ")))
            }
        }
    }

    /// The known compilers that are not installed.
    pub fn missing(&self) -> Vec<&'static str> {
        COMPILERS.into_iter().filter(|name| self.compilers.iter().all(|compiler| compiler.name() != *name)).collect()
    }
}

impl Judge for Cxx {
    fn kind(&self) -> JudgeKind {
        JudgeKind::Cxx
    }

    fn version(&self) -> String {
        self.compilers.iter().map(Compiler::version).collect::<Vec<_>>().join(", ")
    }

    fn judge(&mut self, cases: &[Case]) -> Result<Vec<Outcome>, String> {
        let mut outcomes: Vec<Outcome> =
            cases
                .iter()
                .map(|case| {
                    if Dialect::ALL.iter().any(|d| d.text(case).is_some()) { Outcome::Passed } else { Outcome::Skipped }
                })
                .collect();
        let mut work = Vec::new();
        for dialect in Dialect::ALL {
            let numbers: Vec<usize> = (0..cases.len()).filter(|&n| dialect.text(&cases[n]).is_some()).collect();
            for checks in [Checks::Traps, Checks::Sanitizers] {
                let chosen: Vec<usize> =
                    numbers.iter().copied().filter(|&number| Checks::of(&cases[number]) == checks).collect();
                work.extend(chosen.chunks(BATCH).map(|batch| (dialect, checks, batch.to_vec())));
            }
        }
        let judged: Vec<Judged> = work
            .par_iter()
            .map(|(dialect, checks, batch)| judge_batch(&self.compilers, (*dialect, *checks), cases, batch))
            .collect::<Result<_, String>>()?;
        // Compilers, dialects and grids may each leave the same launch undecided.
        self.undecided += judged.iter().flat_map(|judged| &judged.undecided).collect::<BTreeSet<_>>().len();
        for judged in judged {
            for (number, why) in judged.failures {
                if outcomes[number] == Outcome::Passed {
                    outcomes[number] = Outcome::Failed(why);
                }
            }
        }
        Ok(outcomes)
    }

    fn undecided(&self) -> usize {
        self.undecided
    }
}

/// What the programs of a batch showed.
#[derive(Default)]
struct Judged {
    /// The numbers of cases that fail, with the reasons.
    failures: Vec<(usize, String)>,
    /// The undecided launches: the number of the case, and of its launch.
    undecided: Vec<(usize, usize)>,
}

/// Runs the cases of `batch` in the program of each compiler.
fn judge_batch(
    compilers: &[Compiler],
    (dialect, checks): (Dialect, Checks),
    cases: &[Case],
    batch: &[usize],
) -> Result<Judged, String> {
    let mut built: Vec<Built> = compilers
        .par_iter()
        .map(|compiler| Built::new(compiler, (dialect, checks), cases, batch))
        .collect::<Result<_, String>>()?;
    let failures = built.iter_mut().flat_map(|built| std::mem::take(&mut built.failed)).collect();
    let mut judged = Judged { failures, ..Judged::default() };
    for &number in batch {
        let mut trials: Vec<Trial> = built.iter_mut().filter_map(|built| built.trial(number)).collect();
        let ran = run(&mut trials, dialect, number, &cases[number]);
        for trial in trials {
            let place = trial.place;
            match ran.clone().and_then(|()| trial.outcome()) {
                Ok(launches) => judged.undecided.extend(launches.into_iter().map(|launch| (number, launch))),
                Err(why) => judged.failures.push((number, format!("{place}: {why}"))),
            }
        }
    }
    Ok(judged)
}

/// The programs that one compiler built for the cases of a batch.
struct Built {
    /// The dialect and the compiler, for messages.
    place: String,
    /// The cases that do not compile, with the reason.
    failed: Vec<(usize, String)>,
    /// The programs with the other cases.
    programs: Vec<(Vec<usize>, Server)>,
}

impl Built {
    fn new(
        compiler: &Compiler,
        (dialect, checks): (Dialect, Checks),
        cases: &[Case],
        batch: &[usize],
    ) -> Result<Built, String> {
        let place = format!("{} as {}", dialect.name(), compiler.name());
        // A compiler that does not run is no fault of a case. It is reported once, for the whole batch.
        let mut broken = None;
        let Bisected { failed, programs } = compile_most(batch, &mut |numbers| {
            let source = compiler::source(dialect, numbers.iter().map(|&number| (number, &cases[number])));
            Server::build(compiler, &source, checks).map_err(|failure| match failure {
                compiler::Failure::Log(log) => log,
                compiler::Failure::Broken(why) => {
                    broken = Some(why);
                    String::new()
                }
            })
        });
        let failed = failed.into_iter().map(|(number, log)| (number, format!("{place}: {log}"))).collect();
        broken.map_or(Ok(Built { place, failed, programs }), Err)
    }

    /// The trial of case `number` in this compiler's program. `None` if the case did not compile.
    fn trial(&mut self, number: usize) -> Option<Trial<'_>> {
        let (_, server) = self.programs.iter_mut().find(|(numbers, _)| numbers.contains(&number))?;
        Some(Trial { place: &self.place, server, right: 0, undecided: Vec::new(), failed: None })
    }
}

/// One case in the program of one compiler.
struct Trial<'a> {
    place: &'a str,
    server: &'a mut Server,
    /// The number of launches with the expected result.
    right: usize,
    /// The undecided launches, by their numbers, with the reasons.
    undecided: Vec<(usize, String)>,
    /// The failure of the last launch. It ends the trial.
    failed: Option<String>,
}

impl Trial<'_> {
    /// The numbers of the undecided launches. A case of which no launch could be compared fails.
    fn outcome(self) -> Result<Vec<usize>, String> {
        match (self.failed, self.undecided.first()) {
            (Some(why), _) => Err(why),
            (None, Some((_, why))) if self.right == 0 => Err(why.clone()),
            _ => Ok(self.undecided.into_iter().map(|(launch, _)| launch).collect()),
        }
    }
}

/// Runs the launches of a case, for CUDA on every grid. A trial ends at its first failure.
///
/// # Errors
/// The interpreter rejects a launch.
fn run(trials: &mut [Trial<'_>], dialect: Dialect, number: usize, case: &Case) -> Result<(), String> {
    let mut ordered = false;
    case.kernel.walk_stmts(&mut |stmt| ordered |= stmt.atomic().is_some());
    let poisoned: Vec<(usize, Launch)> = case
        .launches
        .iter()
        .enumerate()
        .filter_map(|(which, launch)| Some((which, launch.poisoned(&case.kernel)?)))
        .collect();
    let poisoned = poisoned.iter().map(|(which, launch)| (*which, launch));
    for (which, launch) in case.launches.iter().enumerate().chain(poisoned) {
        for grid in dialect.grids(&launch.dim, case.kernel.block) {
            let after = if ordered { &expected(case, launch, grid)? } else { &launch.after };
            let named = |why| format!("launch of {:?}{}: {why}", launch.dim, dialect.grid_name(grid));
            // Tolerances are the same for all compilers, and take long to measure.
            let allowed = OnceCell::new();
            let threads = || grid.order(&launch.dim, case.kernel.block.is_some());
            let tolerances = || interp::tolerances(&case.kernel, &launch.dim, &launch.before, after, threads);
            let allowed = || allowed.get_or_init(tolerances).clone();
            for trial in trials.iter_mut().filter(|trial| trial.failed.is_none()) {
                match trial.server.launch(number, &case.in_memory, &launch.dim, grid, &launch.before) {
                    Err(why) => trial.failed = Some(named(why)),
                    Ok(found) => match case.compare(after, &found, allowed) {
                        Ok(()) => trial.right += 1,
                        Err(Difference::Undecided(why)) => trial.undecided.push((which, named(why))),
                        Err(Difference::Found(why)) => trial.failed = Some(named(why)),
                    },
                }
            }
        }
    }
    Ok(())
}

/// The expected result of a launch on a grid. Atomics of floats round differently in another order, so the interpreter
/// runs the threads in the order of the grid.
fn expected(case: &Case, launch: &Launch, grid: Grid) -> Result<Vec<Arg>, String> {
    let mut args = launch.before.clone();
    let order = grid.order(&launch.dim, case.kernel.block.is_some());
    interp::run_in_order(&case.kernel, &launch.dim, &mut args, interp::TRIPS, order).map_err(|fault| fault.message)?;
    Ok(args)
}
