//! C++ compilers for the host, with their sanitizers: the C++ and the CUDA text become programs that run.
//!
//! 1. Many kernels go into one source file, each in a namespace of its own.
//! 2. Each compiler makes a server of it (`server.rs`, `harness.h`).
//! 3. Launches go through the server; what comes back must be what was recorded.
//!
//! `CUDA_ON_HOST` gives the words of CUDA a meaning on the host, so that the very CUDA text that ships is run, once for
//! each of several grids (`grid.rs`).

mod compiler;
mod grid;
mod server;
mod wire;

pub use compiler::{Compiler, Dialect};
pub use grid::Grid;
pub use server::Server;

use super::bisect::{Bisected, compile_most};
use super::case::{Case, Difference};
use super::judge::Judge;
use crate::model::{JudgeKind, Launch, Outcome};
use kernel_ir::data::Arg;
use kernel_ir::interp;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use std::cell::OnceCell;

/// The compilers that are used, where they are there.
const COMPILERS: [&str; 2] = ["g++", "clang++"];

/// How many kernels go into one program.
const BATCH: usize = 256;

/// The compilers.
pub struct Cxx {
    compilers: Vec<Compiler>,
    undecided: usize,
}

impl Cxx {
    /// Looks for the compilers.
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

    /// The compilers that are known and not there.
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
            work.extend(numbers.chunks(BATCH).map(|batch| (dialect, batch.to_vec())));
        }
        let judged: Vec<(Vec<(usize, String)>, usize)> = work
            .par_iter()
            .map(|(dialect, batch)| judge_batch(&self.compilers, *dialect, cases, batch))
            .collect::<Result<_, String>>()?;
        for (failures, undecided) in judged {
            self.undecided += undecided;
            for (number, why) in failures {
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

/// What is wrong with those cases of `batch` that do not pass, and how many launches are undecided.
fn judge_batch(
    compilers: &[Compiler],
    dialect: Dialect,
    cases: &[Case],
    batch: &[usize],
) -> Result<(Vec<(usize, String)>, usize), String> {
    let mut built: Vec<Built> = compilers
        .par_iter()
        .map(|compiler| Built::new(compiler, dialect, cases, batch))
        .collect::<Result<_, String>>()?;
    let mut failures: Vec<(usize, String)> =
        built.iter_mut().flat_map(|built| std::mem::take(&mut built.failed)).collect();
    let mut undecided = 0;
    for &number in batch {
        let mut trials: Vec<Trial> = built.iter_mut().filter_map(|built| built.trial(number)).collect();
        let ran = run(&mut trials, dialect, number, &cases[number]);
        for trial in trials {
            let place = trial.place;
            match ran.clone().and_then(|()| trial.outcome()) {
                Ok(of_case) => undecided += of_case,
                Err(why) => failures.push((number, format!("{place}: {why}"))),
            }
        }
    }
    Ok((failures, undecided))
}

/// What a compiler makes of the cases of a batch.
struct Built {
    /// The dialect and the compiler, for people.
    place: String,
    /// The cases that it does not take, and why.
    failed: Vec<(usize, String)>,
    /// The programs of the others.
    programs: Vec<(Vec<usize>, Server)>,
}

impl Built {
    fn new(compiler: &Compiler, dialect: Dialect, cases: &[Case], batch: &[usize]) -> Result<Built, String> {
        let place = format!("{} as {}", dialect.name(), compiler.name());
        let mut broken = None;
        let Bisected { failed, programs } = compile_most(batch, &mut |numbers| {
            let source = compiler::source(dialect, numbers.iter().map(|&number| (number, &cases[number])));
            Server::build(compiler, &source).map_err(|failure| match failure {
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

    /// The case of that number before this compiler's program, if there is one with it.
    fn trial(&mut self, number: usize) -> Option<Trial<'_>> {
        let (_, server) = self.programs.iter_mut().find(|(numbers, _)| numbers.contains(&number))?;
        Some(Trial { place: &self.place, server, right: 0, undecided: Vec::new(), failed: None })
    }
}

/// A case before the program of one compiler.
struct Trial<'a> {
    place: &'a str,
    server: &'a mut Server,
    /// How many launches left what they should have left.
    right: usize,
    /// Of which launches nobody can say that.
    undecided: Vec<String>,
    /// What is wrong with the launch that was the last one.
    failed: Option<String>,
}

impl Trial<'_> {
    /// How many launches are undecided: some of them at most.
    fn outcome(self) -> Result<usize, String> {
        match (self.failed, self.undecided.first()) {
            (Some(why), _) => Err(why),
            (None, Some(why)) if self.right == 0 => Err(why.clone()),
            _ => Ok(self.undecided.len()),
        }
    }
}

/// Runs the launches of a case, on CUDA every grid, until no compiler is left whose program does what it should.
///
/// # Errors
/// The interpreter does not take a launch.
fn run(trials: &mut [Trial<'_>], dialect: Dialect, number: usize, case: &Case) -> Result<(), String> {
    let mut ordered = false;
    case.kernel.walk_stmts(&mut |stmt| ordered |= stmt.atomic().is_some());
    let poisoned = case.launches.iter().filter_map(|launch| launch.poisoned(&case.kernel)).collect::<Vec<_>>();
    for launch in case.launches.iter().chain(&poisoned) {
        for grid in dialect.grids(&launch.dim) {
            let after = if ordered { &expected(case, launch, grid)? } else { &launch.after };
            let named = |why| format!("launch of {:?}{}: {why}", launch.dim, dialect.grid_name(grid));
            // What is the same for all compilers, and takes long.
            let allowed = OnceCell::new();
            let threads = || grid.threads(&launch.dim);
            let tolerances = || interp::tolerances(&case.kernel, &launch.dim, &launch.before, after, threads);
            let allowed = || allowed.get_or_init(tolerances).clone();
            for trial in trials.iter_mut().filter(|trial| trial.failed.is_none()) {
                match trial.server.launch(number, &case.kernel, &launch.dim, grid, &launch.before) {
                    Err(why) => trial.failed = Some(named(why)),
                    Ok(found) => match case.compare(after, &found, allowed) {
                        Ok(()) => trial.right += 1,
                        Err(Difference::Undecided(why)) => trial.undecided.push(named(why)),
                        Err(Difference::Found(why)) => trial.failed = Some(named(why)),
                    },
                }
            }
        }
    }
    Ok(())
}

/// What a launch leaves under a grid. Where threads meet, floats add up differently in another order, so that the
/// interpreter runs the threads in the order of the grid.
fn expected(case: &Case, launch: &Launch, grid: Grid) -> Result<Vec<Arg>, String> {
    let mut args = launch.before.clone();
    interp::run_in_order(&case.kernel, &launch.dim, &mut args, interp::TRIPS, grid.threads(&launch.dim))
        .map_err(|fault| fault.message)?;
    Ok(args)
}
