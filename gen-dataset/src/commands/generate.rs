//! `generate`: writes a dataset.

use super::estimate::{Estimate, free_disk};
use super::term::{self, Progress};
use crate::cli::GenerateArgs;
use crate::distributed::{self, Journal};
use crate::error::Error;
use crate::files::Lock;
use crate::model::{Existing, Record, Reject};
use crate::out::{DatasetWriter, JOURNAL, Manifest, Prepared, REJECTS, Stats, announce, data_path, prepare};
use crate::pipeline::{DatasetSpec, Generator, jobs, thread_pool};
use kernel_rt::KernelInfo;
use std::path::PathBuf;
use std::sync::PoisonError;
use std::time::Instant;

/// The number of kernels that each thread makes between two polls of `interrupted`.
const KERNELS_PER_JOB: usize = 64;

/// A request to `generate`, resolved from its arguments.
#[derive(Debug)]
pub(crate) struct Request {
    /// The dataset to write.
    pub(crate) spec: DatasetSpec,
    /// The output folder.
    pub(crate) output: PathBuf,
    /// The number of threads.
    pub(crate) jobs: usize,
    /// The treatment of existing files.
    pub(crate) existing: Existing,
    /// Whether to start even if the disk seems too small.
    pub(crate) yes: bool,
}

impl Request {
    /// Resolves `args` against the registered `kernels`.
    pub(crate) fn new(args: &GenerateArgs, kernels: &[&'static KernelInfo]) -> Result<Request, Error> {
        let spec = DatasetSpec::new(&args.spec, kernels)?;
        let (output, jobs) = (args.out.output.clone(), jobs(args.out.jobs));
        Ok(Request { spec, output, jobs, existing: args.out.existing(), yes: args.yes })
    }
}

/// Writes the dataset of `request`, and prints a summary. `interrupted` is polled.
pub(crate) fn run(request: &Request, interrupted: &(dyn Fn() -> bool + Sync)) -> Result<(), Error> {
    let started = Instant::now();
    let estimate = Estimate::of(&request.spec.settings);
    if let Some(why) = estimate.refusal(request.jobs, free_disk(&request.output)).filter(|_| !request.yes) {
        return Err(Error::Config(why));
    }
    if estimate.is_large() {
        term::note(&estimate.told(request.jobs));
    }
    match generate(request, interrupted)? {
        None => term::print(&format!("`{}` is complete already\n", request.output.display())),
        Some(stats) => {
            term::print(&summary(&stats, request, started))?;
            match stats.records {
                0 => Err(Error::Invalid(format!(
                    "every kernel was rejected; `{}` gives the reasons",
                    request.output.join(REJECTS).display()
                ))),
                _ => Ok(()),
            }
        }
    }
}

/// Writes the dataset of `request`. Returns its counts, or `None` if the dataset is complete already.
pub(crate) fn generate(request: &Request, interrupted: &(dyn Fn() -> bool + Sync)) -> Result<Option<Stats>, Error> {
    let run = Manifest::new(request.spec.settings.clone(), None);
    match prepare(&request.output, request.existing, &run)? {
        Prepared::Finished => Ok(None),
        Prepared::Ready(lock) => {
            announce(&request.output, &run)?;
            write(request, lock, &run, interrupted).map(Some)
        }
    }
}

/// Makes all records and writes all files.
fn write(
    request: &Request,
    lock: Lock,
    run: &Manifest,
    interrupted: &(dyn Fn() -> bool + Sync),
) -> Result<Stats, Error> {
    let spec = &request.spec;
    let pool = thread_pool(request.jobs)?;
    let synthesised = spec.synthesis.as_ref().map_or(0, |synthesis| synthesis.count);
    let mut generator = Generator::new(spec, None, synthesised, request.jobs * KERNELS_PER_JOB, &pool);
    let mut dataset = DatasetWriter::new(&request.output, lock, run)?;
    let mut progress = Progress::new("generated", Some(spec.settings.count));
    let folder = request.output.join(JOURNAL);
    // The journal keeps proven records of an interrupted run. A run without a plan is a single partition, 0.
    let mut journal = Journal::open(&folder, distributed::lock(&folder, 0)?, 0, &run.hash()?)?;
    progress.advance(journal.state().rows);
    journal.rejects()?.try_for_each(|reject| dataset.reject(&reject?))?;
    let kept = journal.records()?.map(|record| record.and_then(|record| dataset.record(&record).map(|()| record)));
    generator.resume(journal.state().position, kept)?;
    let (mut records, mut rejects): (Vec<Record>, Vec<Reject>) = (Vec::new(), Vec::new());
    let (mut goes_on, mut is_stopped) = (generator.goes_on(), false);
    while goes_on || !records.is_empty() || !rejects.is_empty() {
        let last = (std::mem::take(&mut records), std::mem::take(&mut rejects), generator.position());
        let made = last.0.len();
        // A pipeline of two stages: the results of one step are written while the next step runs.
        let make = || match goes_on {
            true => generator.step(&mut |new| {
                match new {
                    Ok(record) => records.push(record),
                    Err(reject) => rejects.push(*reject),
                }
                Ok(())
            }),
            false => Ok(false),
        };
        let write = || {
            let (records, rejects, position) = last;
            records.iter().try_for_each(|record| dataset.record(record))?;
            rejects.iter().try_for_each(|reject| dataset.reject(reject))?;
            journal.append(&records, &rejects, position)
        };
        let (step, written) = pool.join(make, write);
        written?;
        is_stopped |= interrupted();
        goes_on = step? && !is_stopped;
        progress.advance(made);
    }
    if is_stopped {
        return Err(Error::Interrupted(
            "the proven records are kept; run the command again to continue, with `--resume` if the folder was new",
        ));
    }
    drop(journal);
    dataset.finish()
}

/// The summary table of a run.
fn summary(stats: &Stats, request: &Request, started: Instant) -> String {
    let row = |name: &str, asked: usize, written: usize| {
        vec![name.to_owned(), asked.to_string(), written.to_string(), (asked - written).to_string()]
    };
    let mut rows: Vec<Vec<String>> = stats
        .drawn
        .iter()
        .map(|(family, &drawn)| row(family, drawn, stats.families.get(family).copied().unwrap_or_default()))
        .collect();
    rows.push(row("all", stats.drawn.values().sum(), stats.records));
    let mut text = term::table(&["family", "kernels", "written", "rejected"], &rows);
    let checks = &stats.verification;
    if checks.interpreter_vs_cpu > 0 {
        text += &format!(
            "{} of {} agree bit for bit with the CPU version; the largest distance is {} ulp\n",
            checks.bit_equal, checks.interpreter_vs_cpu, checks.worst_ulp
        );
    }
    if checks.adjoints > 0 {
        text += &format!(
            "{} adjoints agree with dual numbers; the largest relative error is {:.1e} in f64, {:.1e} as declared\n",
            checks.adjoints, checks.worst_adjoint_error_f64, checks.worst_adjoint_error_as_declared
        );
    }
    if let Some(near) = stats.near_duplicates {
        let share = 100.0 * near.found as f64 / near.compared.max(1) as f64;
        text += &format!(
            "{} skeletons; near-duplicates: {} of {} kernels ({share:.2} %) before the pass, none after it\n",
            stats.distinct_skeletons, near.found, near.compared
        );
    }
    if !stats.rejects.is_empty() {
        let reasons: Vec<String> = stats.rejects.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
        text += &format!("rejected: {}; see {}\n", reasons.join(", "), request.output.join(REJECTS).display());
    }
    if let Some(validators) = &request.spec.validators {
        let left_out = validators.lock().unwrap_or_else(PoisonError::into_inner).left_out();
        left_out.iter().for_each(|left_out| text += &format!("{left_out}\n"));
    }
    text += &request.spec.remark().unwrap_or_default();
    let bytes: usize = stats.bytes.values().sum();
    text + &format!(
        "{} records, {} of text, in {:.1} s, in {}\n",
        stats.records,
        term::size(bytes as u64),
        started.elapsed().as_secs_f64(),
        request.output.join(data_path(request.spec.settings.format)).display()
    )
}

#[cfg(test)]
mod tests;
