//! `generate`: writes a dataset.

use crate::cli::Format;
use crate::error::Error;
use crate::make::make;
use crate::out::{
    CARD, DATA, FolderWriter, JsonlWriter, REJECTS, RUN, RecordWriter, Run, STATS, Staging, Stats, card, data_path,
    digest, is_temporary, line, pretty, read_json, remove_temporaries,
};
use crate::record::{Reason, Record, Reject};
use crate::settings::{Existing, Plan};
use crate::term::{self, Progress};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// How many records each thread makes between two looks at the user's wishes.
const RECORDS_PER_JOB: usize = 4;

/// Writes the dataset of `plan`, and a summary to the terminal. `interrupted` says whether the user wants to end it.
pub(crate) fn generate(plan: &Plan, interrupted: &dyn Fn() -> bool) -> Result<(), Error> {
    let started = Instant::now();
    let run = Run::new(plan.settings.clone());
    match prepare(plan, &run)? {
        Prepared::Finished => term::print(&format!("`{}` is complete already\n", plan.output.display())),
        Prepared::Ready => {
            let stats = write(plan, &run, interrupted)?;
            term::print(&summary(&stats, plan, started))?;
            match stats.records {
                0 => Err(Error::Invalid(format!(
                    "every kernel was rejected; `{}` says why",
                    plan.output.join(REJECTS).display()
                ))),
                _ => Ok(()),
            }
        }
    }
}

/// What is to be done after a look at the output folder.
#[derive(Debug, PartialEq, Eq)]
enum Prepared {
    /// Nothing: the dataset is there.
    Finished,
    /// Everything.
    Ready,
}

/// Makes the output folder ready, or says why it cannot be used.
fn prepare(plan: &Plan, run: &Run) -> Result<Prepared, Error> {
    let output = &plan.output;
    if output.exists() && !output.is_dir() {
        return Err(Error::Config(format!("`{}` is not a folder; choose another `--output`", output.display())));
    }
    fs::create_dir_all(output).map_err(Error::io("create", output))?;
    let entries = entries(output)?;
    let has_run = output.join(RUN).exists();
    match plan.existing {
        Existing::Refuse if !entries.is_empty() => {
            return Err(Error::Config(format!(
                "`{}` is not empty; choose another `--output`, or replace what is there with `--overwrite` or go on with \
                 it with `--resume`",
                output.display()
            )));
        }
        Existing::Overwrite if !has_run => {
            if let Some(name) =
                [CARD, STATS, REJECTS, data_path(Format::Files), DATA].iter().find(|name| output.join(name).exists())
            {
                return Err(Error::Config(format!(
                    "`{}` is not a dataset, but holds `{name}`; choose another `--output`",
                    output.display()
                )));
            }
        }
        Existing::Resume if has_run => {
            if is_finished(plan, run)? {
                remove_temporaries(output, &[DATA])?;
                return Ok(Prepared::Finished);
            }
        }
        Existing::Resume if !entries.iter().all(|entry| is_temporary(entry)) => {
            return Err(Error::Config(format!(
                "`{}` holds no `{RUN}`, so there is nothing to resume; choose another `--output`",
                output.display()
            )));
        }
        _ => {}
    }
    remove_temporaries(output, &[DATA])?;
    if !has_run {
        // At once, so that `--resume` knows what this run was about if it does not end well.
        let mut staging = Staging::new(output);
        staging.write(RUN, &pretty(run)?)?;
        staging.publish()?;
    }
    Ok(Prepared::Ready)
}

/// Whether the dataset of `run` is complete already.
///
/// # Errors
/// The folder belongs to a run with other settings.
fn is_finished(plan: &Plan, run: &Run) -> Result<bool, Error> {
    let there: Option<Run> = read_json(&plan.output.join(RUN))?;
    if let Some((name, here, there)) = there.as_ref().and_then(|there| run.difference(there)) {
        return Err(Error::Config(format!(
            "cannot resume: `{name}` was {there} in `{}` and is {here} now; choose another `--output` or `--overwrite`",
            plan.output.display()
        )));
    }
    let data = plan.output.join(data_path(plan.settings.format));
    let stats: Option<Stats> = read_json(&plan.output.join(STATS))?;
    match stats {
        Some(stats) if data.exists() => Ok(stats.data_blake3 == digest(&data)?),
        _ => Ok(false),
    }
}

/// Makes all records and writes all files.
fn write(plan: &Plan, run: &Run, interrupted: &dyn Fn() -> bool) -> Result<Stats, Error> {
    let mut data = Staging::new(&plan.output);
    let mut rest = Staging::new(&plan.output);
    let mut stats = Stats::new();
    let mut rejects = rest.create(REJECTS)?;
    let mut writer: Box<dyn RecordWriter> = match plan.settings.format {
        Format::Files => Box::new(FolderWriter::new(&mut data)?),
        Format::Jsonl | Format::Parquet => Box::new(JsonlWriter::new(&mut data)?),
    };
    for_each_record(plan, interrupted, &mut |made| match made {
        Ok(record) => {
            stats.record(&record);
            writer.write(&record)
        }
        Err(reject) => {
            stats.reject(&reject);
            rejects.write(&line(&reject)?)
        }
    })?;
    rejects.finish()?;
    let staged = writer.finish()?;
    stats.data_blake3 = digest(&staged)?;
    rest.write(RUN, &pretty(run)?)?;
    rest.write(STATS, &pretty(&stats)?)?;
    rest.write(CARD, card(&plan.settings, &stats, bytes_in(&staged)?).as_bytes())?;
    rest.publish()?;
    data.publish()?;
    remove_other_format(plan)?;
    Ok(stats)
}

/// What became of a kernel.
type Made = Result<Record, Box<Reject>>;

/// Makes the records, some at a time on all threads, and hands them to `take` in their order.
fn for_each_record(
    plan: &Plan,
    interrupted: &dyn Fn() -> bool,
    take: &mut dyn FnMut(Made) -> Result<(), Error>,
) -> Result<(), Error> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(plan.jobs)
        .build()
        .map_err(|error| Error::Internal(error.to_string()))?;
    let mut progress = Progress::new("generated", plan.candidates.len());
    let mut names = HashSet::new();
    for chunk in plan.candidates.chunks(plan.jobs * RECORDS_PER_JOB) {
        let made: Vec<Made> = pool.install(|| chunk.par_iter().map(|kernel| make(kernel, &plan.settings)).collect());
        for made in made {
            if interrupted() {
                return Err(Error::Interrupted);
            }
            take(made.and_then(|record| first_of_its_name(record, &mut names)))?;
        }
        progress.advance(chunk.len());
    }
    Ok(())
}

/// Rejects a record whose family and name another one has.
fn first_of_its_name(record: Record, names: &mut HashSet<(String, String)>) -> Made {
    let metadata = &record.metadata;
    if names.insert((metadata.category.clone(), metadata.kernel_name.clone())) {
        return Ok(record);
    }
    Err(Box::new(Reject {
        kernel_name: metadata.kernel_name.clone(),
        category: metadata.category.clone(),
        index: metadata.index,
        reason: Reason::Duplicate,
        detail: "the family has a kernel of that name already".to_owned(),
    }))
}

/// Removes what an overwritten dataset of the other format has left.
fn remove_other_format(plan: &Plan) -> Result<(), Error> {
    let other = match plan.settings.format {
        Format::Files => DATA,
        Format::Jsonl | Format::Parquet => data_path(Format::Files),
    };
    let other = plan.output.join(other);
    if other.is_dir() { fs::remove_dir_all(&other).map_err(Error::io("remove", &other)) } else { Ok(()) }
}

/// The table that ends a run.
fn summary(stats: &Stats, plan: &Plan, started: Instant) -> String {
    let mut asked: BTreeMap<&str, usize> = BTreeMap::new();
    for candidate in &plan.candidates {
        *asked.entry(candidate.info.family).or_default() += 1;
    }
    let row = |name: &str, asked: usize, written: usize| {
        vec![name.to_owned(), asked.to_string(), written.to_string(), (asked - written).to_string()]
    };
    let mut rows: Vec<Vec<String>> = asked
        .iter()
        .map(|(family, &asked)| row(family, asked, stats.families.get(*family).copied().unwrap_or_default()))
        .collect();
    rows.push(row("all", plan.candidates.len(), stats.records));
    let mut text = term::table(&["family", "kernels", "written", "rejected"], &rows);
    let checks = &stats.verification;
    text += &format!(
        "{} of {} agree bit for bit with the CPU version; the largest distance is {} ulp\n",
        checks.bit_equal, checks.interpreter_vs_cpu, checks.worst_ulp
    );
    if !stats.rejects.is_empty() {
        let reasons: Vec<String> = stats.rejects.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
        text += &format!("rejected: {}; see {}\n", reasons.join(", "), plan.output.join(REJECTS).display());
    }
    let bytes: usize = stats.bytes.values().sum();
    text + &format!(
        "{} records, {} of text, in {:.1} s, in {}\n",
        stats.records,
        term::size(bytes as u64),
        started.elapsed().as_secs_f64(),
        plan.output.join(data_path(plan.settings.format)).display()
    )
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    fs::read_dir(folder)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect())
        .map_err(Error::io("read", folder))
}

/// How many bytes the files at `path` have.
fn bytes_in(path: &Path) -> Result<u64, Error> {
    if !path.is_dir() {
        return fs::metadata(path).map(|file| file.len()).map_err(Error::io("read", path));
    }
    entries(path)?.iter().map(|entry| bytes_in(entry)).sum()
}
