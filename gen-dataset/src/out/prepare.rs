//! A look at the output folder before anything is written.

use super::layout::{CARD, DATA, JOURNAL, REJECTS, RUN, SAMPLES, STATS, data_path};
use super::manifest::Manifest;
use super::stats::Stats;
use crate::error::Error;
use crate::files::{
    LOCK, Lock, LockMode, Staging, digest, entries, is_temporary, pretty, read_json, remove_temporaries,
};
use crate::model::Existing;
use std::path::Path;

/// What is to be done after a look at the output folder.
#[derive(Debug)]
pub(crate) enum Prepared {
    /// Nothing: the dataset is there.
    Finished,
    /// Everything, by who holds the lock of the folder.
    Ready(Lock),
}

/// Makes the output folder ready, or says why it cannot be used.
pub(crate) fn prepare(output: &Path, existing: Existing, run: &Manifest) -> Result<Prepared, Error> {
    if output.exists() && !output.is_dir() {
        return Err(Error::Config(format!("`{}` is not a folder; choose another `--output`", output.display())));
    }
    // First of all, because what another process is about to write looks like what one that was killed has left.
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

/// Says in the folder what is about to be made there, so that `--resume` knows if it does not end well.
pub(crate) fn announce(output: &Path, run: &Manifest) -> Result<(), Error> {
    if output.join(RUN).exists() {
        return Ok(());
    }
    let mut staging = Staging::new(output);
    staging.write(RUN, &pretty(run)?)?;
    staging.publish()
}

/// Without a word about what is there, the folder must be empty.
fn refuse_what_is_there(output: &Path) -> Result<(), Error> {
    match entries(output)?.iter().all(|entry| is_lock(entry)) {
        true => Ok(()),
        false => Err(Error::Config(format!(
            "`{}` is not empty; choose another `--output`, or replace what is there with `--overwrite` or go on with it \
             with `--resume`",
            output.display()
        ))),
    }
}

/// Whether this is the file that locks the folder: it is there while the folder is looked at.
fn is_lock(path: &Path) -> bool {
    path.ends_with(LOCK)
}

/// What is not of a dataset stays: a folder without `run.json` must not hold anything by the names of a dataset.
fn refuse_foreign_names(output: &Path) -> Result<(), Error> {
    match [CARD, STATS, REJECTS, SAMPLES, DATA].iter().find(|name| output.join(name).exists()) {
        None => Ok(()),
        Some(name) => Err(Error::Config(format!(
            "`{}` holds `{name}`, but is no dataset of this program; choose another `--output`",
            output.display()
        ))),
    }
}

/// A folder without `run.json` can be gone on with only if the run was ended before it was written.
fn refuse_other_folder(output: &Path) -> Result<(), Error> {
    match entries(output)?.iter().all(|entry| is_temporary(entry) || is_lock(entry)) {
        true => Ok(()),
        false => Err(Error::Config(format!(
            "`{}` holds no `{RUN}`, so there is nothing to resume; choose another `--output`",
            output.display()
        ))),
    }
}

/// Whether the dataset of `run` is complete already.
///
/// # Errors
/// The folder belongs to a run with other settings.
fn is_finished(output: &Path, run: &Manifest) -> Result<bool, Error> {
    let there: Option<Manifest> = read_json(&output.join(RUN))?;
    if let Some((name, here, there)) = there.as_ref().and_then(|there| run.difference(there)) {
        return Err(Error::Config(format!(
            "cannot resume: `{name}` was {there} in `{}` and is {here} now; choose another `--output` or `--overwrite`",
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
