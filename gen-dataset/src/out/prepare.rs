//! Inspects the output folder before anything is written. Foreign files are never overwritten.

use super::layout::{CARD, DATA, JOURNAL, REJECTS, RUN, SAMPLES, STATS, data_path};
use super::manifest::Manifest;
use super::stats::Stats;
use crate::error::Error;
use crate::files::{
    LOCK, Lock, LockMode, Staging, digest, entries, is_temporary, pretty, read_json, remove_temporaries,
};
use crate::model::Existing;
use std::path::Path;

/// The result of the inspection.
#[derive(Debug)]
pub(crate) enum Prepared {
    /// The dataset is complete. There is nothing to do.
    Finished,
    /// The dataset is to be written, under this lock.
    Ready(Lock),
}

/// Prepares the output folder for `run`, or says why the folder cannot be used.
pub(crate) fn prepare(output: &Path, existing: Existing, run: &Manifest) -> Result<Prepared, Error> {
    if output.exists() && !output.is_dir() {
        return Err(Error::Config(format!("`{}` is not a folder; choose another `--output`", output.display())));
    }
    // The lock comes first, because files of a running process look like files that a killed process left.
    let lock = Lock::folder(output, LockMode::Exclusive)?;
    let has_run = output.join(RUN).exists();
    match (existing, has_run) {
        (Existing::Refuse, _) => refuse_what_is_there(output)?,
        (Existing::Overwrite, true) => {}
        (Existing::Overwrite, false) => refuse_foreign_names(output)?,
        (Existing::Resume, true) => {
            if is_finished(output, run)? {
                remove_temporaries(output, &[DATA], &[])?;
                return Ok(Prepared::Finished);
            }
        }
        (Existing::Resume, false) => refuse_other_folder(output)?,
    }
    remove_temporaries(output, &[DATA], &[JOURNAL])?;
    Ok(Prepared::Ready(lock))
}

/// Writes `run.json` before the dataset, so that `--resume` recognises an interrupted run.
pub(crate) fn announce(output: &Path, run: &Manifest) -> Result<(), Error> {
    if output.join(RUN).exists() {
        return Ok(());
    }
    let mut staging = Staging::new(output);
    staging.write(RUN, &pretty(run)?)?;
    staging.publish()
}

/// Without `--overwrite` or `--resume` the folder must be empty.
fn refuse_what_is_there(output: &Path) -> Result<(), Error> {
    match entries(output)?.iter().all(|entry| is_lock(entry)) {
        true => Ok(()),
        false => Err(Error::Config(format!(
            "`{}` is not empty; choose another `--output`, replace its contents with `--overwrite`, or continue an \
             interrupted run with `--resume`",
            output.display()
        ))),
    }
}

/// Whether this is the lock file of the folder, which this process has just created.
fn is_lock(path: &Path) -> bool {
    path.ends_with(LOCK)
}

/// With `--overwrite`, a folder without `run.json` is not a dataset. None of its files may have the name of a dataset's
/// file.
fn refuse_foreign_names(output: &Path) -> Result<(), Error> {
    match [CARD, STATS, REJECTS, SAMPLES, DATA].iter().find(|name| output.join(name).exists()) {
        None => Ok(()),
        Some(name) => Err(Error::Config(format!(
            "`{}` contains `{name}`, but is not a dataset of this program; choose another `--output`",
            output.display()
        ))),
    }
}

/// With `--resume`, a folder without `run.json` may only hold temporary files of a run that was killed early.
fn refuse_other_folder(output: &Path) -> Result<(), Error> {
    match entries(output)?.iter().all(|entry| is_temporary(entry) || is_lock(entry)) {
        true => Ok(()),
        false => Err(Error::Config(format!(
            "`{}` contains no `{RUN}`, so there is no run to resume; choose another `--output`",
            output.display()
        ))),
    }
}

/// Whether the dataset of `run` is complete.
///
/// # Errors
/// The folder belongs to a run with other settings.
fn is_finished(output: &Path, run: &Manifest) -> Result<bool, Error> {
    let there: Option<Manifest> = read_json(&output.join(RUN))?;
    if let Some((name, here, there)) = there.as_ref().and_then(|there| run.difference(there)) {
        return Err(Error::Config(format!(
            "cannot resume: `{name}` was {there} in `{}` and is {here} now; choose another `--output`, or add `--overwrite`",
            output.display()
        )));
    }
    let data = output.join(data_path(run.settings.format));
    let stats: Option<Stats> = read_json(&output.join(STATS))?;
    match stats {
        Some(stats) if data.exists() => Ok(stats.data_blake3 == digest(&data)?),
        _ => Ok(false),
    }
}
