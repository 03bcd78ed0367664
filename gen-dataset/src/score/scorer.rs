//! The scorer: from the text of an answer to a verdict.

use super::answer::code;
use super::compile::{LARGEST, Toolchain};
use super::host::{self, Ran, Stopped, Work};
use super::sandbox::Sandbox;
use super::task::Task;
use super::verdict::{Outcome, Verdict};
use crate::model::agreement;
#[cfg(test)]
use kernel_ir::back::c::{self, Dialect};
#[cfg(test)]
use kernel_ir::verify::VerifiedKernel;
use kernel_rt::Pass;
use std::path::PathBuf;
use tempfile::TempDir;

/// How much more work than the reference an answer may do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance {
    /// The work of all threads, as a multiple of the reference's.
    pub(crate) work: f64,
    /// The work of the longest thread, as a multiple of the reference's.
    pub(crate) span: f64,
}

/// A compiler in a sandbox.
pub(crate) struct Scorer {
    toolchain: Toolchain,
    sandbox: Sandbox,
    allowance: Allowance,
}

/// A task whose reference has been compiled and run.
pub(crate) struct Prepared {
    task: Task,
    /// Holds the library of the reference.
    _folder: TempDir,
    caller: PathBuf,
    /// The work of the reference in each launch.
    work: Vec<Work>,
}

#[cfg(test)]
impl Prepared {
    /// The kernel that is asked for.
    pub(super) fn kernel(&self) -> &VerifiedKernel {
        &self.task.kernel
    }

    /// The text of the reference.
    pub(super) fn text(&self) -> String {
        c::write(&self.task.kernel, Dialect::Cuda)
    }
}

impl Scorer {
    /// Builds the host program.
    ///
    /// # Errors
    /// There is no compiler.
    pub(crate) fn open(sandbox: Sandbox, allowance: Allowance) -> Result<Scorer, String> {
        Ok(Scorer { toolchain: Toolchain::open()?, sandbox, allowance })
    }

    /// The version of the compiler.
    pub(crate) fn version(&self) -> &str {
        &self.toolchain.version
    }

    /// Prepares the task of a record, by its IR and seed. `salt` chooses other inputs.
    ///
    /// # Errors
    /// The inner one says why no answer to this task can be scored; the outer one is a failure of the scorer.
    pub(crate) fn prepare(
        &self,
        ir: &str,
        seed: u64,
        pass: Pass,
        salt: u64,
    ) -> Result<Result<Prepared, String>, String> {
        let task = match Task::new(ir, seed, pass, salt) {
            Ok(task) => task,
            Err(why) => return Ok(Err(why)),
        };
        let folder = temporary()?;
        let caller = match self.toolchain.compile(&self.sandbox, &task.reference(), folder.path())? {
            Ok(caller) => caller,
            Err(why) => return Ok(Err(format!("the reference does not compile: {why}"))),
        };
        let run_folder = temporary()?;
        let ran = host::run(&self.toolchain, &self.sandbox, &task, (&caller, &caller), run_folder.path(), &[])?;
        let ran = match ran {
            Ok(ran) => ran,
            Err(Stopped::Crashed(why)) => return Ok(Err(format!("the reference does not run: {why}"))),
            Err(Stopped::TooMuchWork(_)) => return Ok(Err("the reference does too much work".to_owned())),
        };
        if let Err(why) = difference(&task, &ran) {
            return Ok(Err(format!("the reference fails its own test: {why}")));
        }
        Ok(Ok(Prepared { task, _folder: folder, caller, work: ran.work }))
    }

    /// Scores an answer to a prepared task.
    ///
    /// # Errors
    /// A failure of the scorer, not of the answer.
    pub(crate) fn score(&self, prepared: &Prepared, answer: &str) -> Result<Verdict, String> {
        if answer.len() > LARGEST {
            return Ok(Verdict::new(Outcome::NoAnswer, format!("it has {} bytes; {LARGEST} are read", answer.len())));
        }
        let code = match code(answer) {
            Ok(code) => code,
            Err(why) => return Ok(Verdict::new(Outcome::NoAnswer, why)),
        };
        let folder = temporary()?;
        let library = match self.toolchain.compile(&self.sandbox, &code, folder.path())? {
            Ok(library) => library,
            Err(why) => return Ok(Verdict::new(Outcome::DoesNotCompile, why)),
        };
        let most: Vec<u64> = prepared
            .work
            .iter()
            .map(|work| (8.0 * self.allowance.work * work.total as f64) as u64 + 1_000_000)
            .collect();
        let files = (library.as_path(), prepared.caller.as_path());
        let ran = host::run(&self.toolchain, &self.sandbox, &prepared.task, files, folder.path(), &most)?;
        Ok(match ran {
            Err(Stopped::Crashed(why)) => Verdict::new(Outcome::Crashed, why),
            Err(Stopped::TooMuchWork(number)) => {
                let dim = &prepared.task.tests[number].launch.dim;
                Verdict::new(Outcome::TooMuchWork, format!("it was stopped in the launch of {dim:?}"))
            }
            Ok(ran) => self.judge(prepared, &ran),
        })
    }

    /// The verdict on what an answer computed.
    fn judge(&self, prepared: &Prepared, ran: &Ran) -> Verdict {
        let sum = |work: &[Work], of: fn(&Work) -> u64| work.iter().map(of).sum::<u64>().max(1) as f64;
        let ratio = |of: fn(&Work) -> u64| sum(&ran.work, of) / sum(&prepared.work, of);
        let (work, span) = (ratio(|work| work.total), ratio(|work| work.longest));
        let verdict = match difference(&prepared.task, ran) {
            Err(why) => Verdict::new(Outcome::Wrong, why),
            Ok(()) if work > self.allowance.work => {
                let most = self.allowance.work;
                Verdict::new(
                    Outcome::TooMuchWork,
                    format!("it does {work:.1} times the work of the reference; {most} is allowed"),
                )
            }
            Ok(()) if span > self.allowance.span => {
                let most = self.allowance.span;
                let why =
                    format!("its longest thread does {span:.1} times the work of the reference's; {most} is allowed");
                Verdict::new(Outcome::TooMuchWork, why)
            }
            Ok(()) => Verdict::new(Outcome::Correct, String::new()),
        };
        verdict.with_work(work, span)
    }
}

/// The first result that is wrong.
fn difference(task: &Task, ran: &Ran) -> Result<(), String> {
    for (test, found) in task.tests.iter().zip(&ran.found) {
        let names = task.data.params.iter().map(|param| param.name.as_str());
        agreement(names, found, &test.launch.after, &test.allowed)
            .map_err(|why| format!("launch of {:?}: {why}", test.launch.dim))?;
    }
    Ok(())
}

fn temporary() -> Result<TempDir, String> {
    tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))
}
