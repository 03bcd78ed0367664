//! `generate`: writes a dataset.

use crate::cli::Format;
use crate::dedup::Dedup;
use crate::error::Error;
use crate::make::make;
use crate::make_synth::{Synthesized, synthesize};
use crate::out::{
    CARD, DATA, FolderWriter, JsonlWriter, NearDuplicates, Prepared, REJECTS, RUN, RecordWriter, Run, SAMPLES, STATS,
    Staging, Stats, card, data_path, digest, entries, line, prepare, pretty,
};
use crate::record::{Reason, Record, Reject};
use crate::settings::{Plan, Synthesis};
use crate::synth;
use crate::term::{self, Progress};
use rayon::iter::{IntoParallelIterator, IntoParallelRefIterator, ParallelIterator};
use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::time::Instant;

/// How many samples each thread makes between two looks at the user's wishes.
const SAMPLES_PER_JOB: usize = 64;

/// How many samples in a row may give nothing.
const MOST_IN_VAIN: u64 = 10_000;

/// How many records each thread makes between two looks at the user's wishes.
const RECORDS_PER_JOB: usize = 4;

/// Writes the dataset of `plan`, and a summary to the terminal. `interrupted` says whether the user wants to end it.
pub(crate) fn run(plan: &Plan, interrupted: &dyn Fn() -> bool) -> Result<(), Error> {
    let started = Instant::now();
    match generate(plan, interrupted)? {
        None => term::print(&format!("`{}` is complete already\n", plan.output.display())),
        Some(stats) => {
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

/// Writes the dataset of `plan`; its counts, or nothing if it is there already.
pub(crate) fn generate(plan: &Plan, interrupted: &dyn Fn() -> bool) -> Result<Option<Stats>, Error> {
    let run = Run::new(plan.settings.clone());
    match prepare(plan, &run)? {
        Prepared::Finished => Ok(None),
        Prepared::Ready => write(plan, &run, interrupted).map(Some),
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
    let near = for_each_record(plan, interrupted, &mut |made| match made {
        Ok(record) => {
            stats.record(&record);
            writer.write(&record)
        }
        Err(reject) => {
            stats.reject(&reject);
            rejects.write(&line(&reject)?)
        }
    })?;
    stats.near_duplicates = near;
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

/// Makes the records, some at a time on all threads, and hands them to `take` in their order: those of the registry, then
/// synthesised ones. Returns what was found among the latter.
fn for_each_record(
    plan: &Plan,
    interrupted: &dyn Fn() -> bool,
    take: &mut dyn FnMut(Made) -> Result<(), Error>,
) -> Result<Option<NearDuplicates>, Error> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(plan.jobs)
        .build()
        .map_err(|error| Error::Internal(error.to_string()))?;
    let mut progress = Progress::new("generated", Some(plan.settings.count));
    let mut names = HashSet::new();
    for chunk in plan.candidates.chunks(plan.jobs * RECORDS_PER_JOB) {
        let made: Vec<Made> =
            pool.install(|| chunk.par_iter().map(|kernel| make(kernel, &plan.settings, plan.ptx.as_ref())).collect());
        for made in made {
            if interrupted() {
                return Err(Error::Interrupted);
            }
            take(made.and_then(|record| first_of_its_name(record, &mut names)))?;
        }
        progress.advance(chunk.len());
    }
    match &plan.synthesis {
        None => Ok(None),
        Some(synthesis) => synthesised(plan, synthesis, &pool, &mut progress, interrupted, take).map(Some),
    }
}

/// Makes synthesised records until there are enough that say something of their own.
fn synthesised(
    plan: &Plan,
    synthesis: &Synthesis,
    pool: &rayon::ThreadPool,
    progress: &mut Progress,
    interrupted: &dyn Fn() -> bool,
    take: &mut dyn FnMut(Made) -> Result<(), Error>,
) -> Result<NearDuplicates, Error> {
    let mut dedup = Dedup::new(synthesis.count);
    let (mut written, mut next, mut in_vain) = (0, 0, 0);
    while written < synthesis.count {
        // Not many more than are needed, whatever the number of threads.
        let chunk = (synthesis.count - written).clamp(1, plan.jobs * SAMPLES_PER_JOB) as u64;
        let made: Vec<Synthesized> = pool.install(|| {
            (next..next + chunk)
                .into_par_iter()
                .map(|index| {
                    let family = synth::family(&synthesis.families, index);
                    synthesize(family, index, &plan.settings, plan.ptx.as_ref())
                })
                .collect()
        });
        next += chunk;
        let before = written;
        for Synthesized { made, rejects } in made {
            if interrupted() {
                return Err(Error::Interrupted);
            }
            for reject in rejects {
                take(Err(Box::new(reject)))?;
            }
            let Some((record, signature)) = made else { continue };
            match dedup.admit(&record, &signature) {
                Ok(()) => {
                    take(Ok(record))?;
                    written += 1;
                }
                Err((reason, detail)) => take(Err(Box::new(Reject {
                    kernel_name: record.metadata.kernel_name,
                    category: record.metadata.category,
                    index: record.metadata.index,
                    reason,
                    detail,
                })))?,
            }
        }
        progress.advance(written - before);
        in_vain = if written > before { 0 } else { in_vain + chunk };
        if in_vain > MOST_IN_VAIN {
            return Err(Error::Invalid(format!(
                "the last {in_vain} samples gave nothing new after {written} records; ask for fewer"
            )));
        }
    }
    Ok(dedup.near_duplicates())
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
        Format::Jsonl | Format::Parquet => SAMPLES,
    };
    let other = plan.output.join(other);
    if other.is_dir() { fs::remove_dir_all(&other).map_err(Error::io("remove", &other)) } else { Ok(()) }
}

/// The table that ends a run.
fn summary(stats: &Stats, plan: &Plan, started: Instant) -> String {
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

/// How many bytes the files at `path` have.
fn bytes_in(path: &Path) -> Result<u64, Error> {
    if !path.is_dir() {
        return fs::metadata(path).map(|file| file.len()).map_err(Error::io("read", path));
    }
    entries(path)?.iter().map(|entry| bytes_in(entry)).sum()
}

#[cfg(test)]
mod tests;
