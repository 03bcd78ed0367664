//! `validate`: proves a finished dataset again.

use crate::check::{Outcome, Verdict, check};
use crate::cli::ValidateArgs;
use crate::error::Error;
use crate::out::{STATS, Stats, Stored, digest, read_json, stored};
use crate::settings::jobs;
use crate::term::{self, Progress};
use kernel_rt::KernelInfo;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use std::collections::HashMap;

/// How many records are read before they are checked on all threads.
const CHUNK: usize = 64;
/// How many failures are shown.
const SHOWN: usize = 20;

/// The checks, in the order of the table.
const CHECKS: [&str; 5] = ["structure", "unique id", "interpreter", "CPU version", "data hash"];

/// What came of the checks of a dataset.
#[derive(Default)]
struct Report {
    records: usize,
    failed_records: usize,
    passed: [usize; CHECKS.len()],
    skipped: [usize; CHECKS.len()],
    failed: [usize; CHECKS.len()],
    failures: Vec<String>,
}

/// Checks the dataset that `args` names, and prints what came of it.
pub(crate) fn validate(args: &ValidateArgs, kernels: &[&'static KernelInfo]) -> Result<(), Error> {
    let (data, mut records) = stored(&args.dir)?;
    let stats: Option<Stats> = read_json(&args.dir.join(STATS))?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(jobs(args.jobs))
        .build()
        .map_err(|error| Error::Internal(error.to_string()))?;
    let mut progress = Progress::new("validated", stats.as_ref().map_or(0, |stats| stats.records));
    let mut report = Report::default();
    let mut ids = HashMap::new();
    loop {
        let chunk = records.by_ref().take(CHUNK).collect::<Result<Vec<Stored>, Error>>()?;
        if chunk.is_empty() {
            break;
        }
        let verdicts: Vec<(Option<String>, Verdict)> =
            pool.install(|| chunk.par_iter().map(|item| verdict(item, kernels)).collect());
        for (item, (id, verdict)) in chunk.iter().zip(verdicts) {
            let unique = match id {
                Some(id) => match ids.insert(id, item.location.clone()) {
                    Some(first) => Outcome::Failed(format!("the record at {first} has the same id")),
                    None => Outcome::Passed,
                },
                None => Outcome::Skipped,
            };
            report.record(&item.location, [verdict.structure, unique, verdict.interpreter, verdict.cpu]);
        }
        progress.advance(chunk.len());
    }
    drop(progress);
    let data_hash = match stats {
        Some(stats) if stats.data_blake3 == digest(&data)? => Outcome::Passed,
        Some(_) => Outcome::Failed(format!("not the data that `{STATS}` describes")),
        None => Outcome::Skipped,
    };
    report.take(CHECKS.len() - 1, &data.display().to_string(), data_hash);
    report.print()
}

/// The id and the verdict of a stored record; no id if it cannot be read.
fn verdict(item: &Stored, kernels: &[&'static KernelInfo]) -> (Option<String>, Verdict) {
    match item.record() {
        Ok(record) => {
            let verdict = check(&record, kernels);
            (Some(record.id), verdict)
        }
        Err(why) => (None, Verdict::unreadable(why)),
    }
}

impl Report {
    /// Counts the outcomes of a record, in the order of [`CHECKS`].
    fn record(&mut self, location: &str, outcomes: [Outcome; CHECKS.len() - 1]) {
        self.records += 1;
        self.failed_records += usize::from(outcomes.iter().any(|outcome| matches!(outcome, Outcome::Failed(_))));
        for (check, outcome) in outcomes.into_iter().enumerate() {
            self.take(check, location, outcome);
        }
    }

    fn take(&mut self, check: usize, location: &str, outcome: Outcome) {
        match outcome {
            Outcome::Passed => self.passed[check] += 1,
            Outcome::Skipped => self.skipped[check] += 1,
            Outcome::Failed(why) => {
                self.failed[check] += 1;
                self.failures.push(format!("{location}: {}: {why}", CHECKS[check]));
            }
        }
    }

    fn print(&self) -> Result<(), Error> {
        let mut text: String = self.failures.iter().take(SHOWN).map(|failure| format!("{failure}\n")).collect();
        if self.failures.len() > SHOWN {
            text += &format!("… and {} more\n", self.failures.len() - SHOWN);
        }
        let rows: Vec<Vec<String>> = CHECKS
            .iter()
            .enumerate()
            .map(|(check, name)| {
                let counts = [self.passed[check], self.failed[check], self.skipped[check]];
                let mut row = vec![(*name).to_owned()];
                row.extend(counts.map(|count| count.to_string()));
                row
            })
            .collect();
        text += &term::table(&["check", "passed", "failed", "skipped"], &rows);
        term::print(&text)?;
        match (self.failures.is_empty(), self.failed_records) {
            (true, _) => term::print(&format!("{} records are what they say\n", self.records)),
            (false, 0) => Err(Error::Invalid("the data file was changed after it was written".to_owned())),
            (false, failed) => Err(Error::Invalid(format!("{failed} of {} records failed", self.records))),
        }
    }
}
