//! A planned run: its plan, and the markers of its finished partitions.
//!
//! A run is a place with `run.json`, which never changes, and `parts/`, where each finished partition has its records, its
//! rejects and, written last, a marker. The number of partitions is fixed by the plan; which worker makes which, and how
//! many workers there are, is not, and no byte depends on it.

use super::journal::{records_name, rejects_name};
use super::store::Store;
use crate::error::Error;
use crate::files::{Lock, LockMode, pretty};
use crate::out::{Manifest, RUN};
use crate::pipeline::DatasetSpec;
use serde::{Deserialize, Serialize};

/// The file of the benchmarks.
pub(super) const BENCHMARKS: &str = "benchmarks.txt";

/// A planned run, and what has been made of it. Looking at it needs nothing that making it needs.
pub(crate) struct PlannedRun {
    /// Where it is kept.
    pub(crate) store: Store,
    /// What was planned.
    pub(crate) run: Manifest,
    /// Into how many partitions.
    pub(crate) partitions: u32,
    /// The hash of the plan.
    pub(super) plan: String,
}

/// What says that a partition is complete.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Marker {
    /// The hash of the plan.
    pub(super) plan: String,
    /// The partition.
    pub(crate) partition: u32,
    /// How many records it has.
    pub(crate) rows: usize,
    /// How many kernels failed.
    pub(crate) rejected: usize,
    /// How many bytes its records take up.
    pub(crate) bytes: u64,
    /// The BLAKE3 hash of the file of its records.
    pub(crate) blake3: String,
    /// The BLAKE3 hash of the file of its rejects.
    pub(crate) rejects_blake3: String,
}

/// What there is of a partition.
#[derive(Clone, Debug)]
pub(crate) enum Progress {
    /// No marker.
    Missing,
    /// A marker, and a file that is not what it says: a sentence that names the file.
    Damaged(String),
    /// All of it.
    Complete(Marker),
}

impl PlannedRun {
    /// Writes the plan of `spec` in `partitions` partitions; whether it was there already.
    ///
    /// # Errors
    /// Another plan is there, or a process that writes a dataset.
    pub(crate) fn plan(store: &Store, spec: &DatasetSpec, partitions: u32) -> Result<bool, Error> {
        let run = Manifest::new(spec.settings.clone(), Some(partitions));
        let text = pretty(&run)?;
        let _lock = store.local().map(|folder| Lock::folder(folder, LockMode::Shared)).transpose()?;
        match store.read(RUN)? {
            Some(there) if there == text => return Ok(true),
            Some(_) => {
                return Err(Error::Config(format!(
                    "`{}` is another plan, and plans do not change; choose another `--output`",
                    store.show(RUN)
                )));
            }
            None => {}
        }
        if let Some(benchmarks) = &spec.benchmarks {
            store.write(BENCHMARKS, benchmarks.to_text().as_bytes())?;
        }
        store.write(RUN, &text)?;
        Ok(false)
    }

    /// Opens the run in `store`.
    pub(crate) fn open(store: Store) -> Result<PlannedRun, Error> {
        let missing = || Error::Config(format!("there is no `{}`; `gen-dataset plan` writes one", store.show(RUN)));
        let text = store.read(RUN)?.ok_or_else(missing)?;
        let run: Manifest = serde_json::from_slice(&text)
            .map_err(|error| Error::Config(format!("`{}` is not a plan: {error}", store.show(RUN))))?;
        let partitions = run.partitions.filter(|partitions| *partitions > 0).ok_or_else(|| {
            Error::Config(format!("`{}` is of a dataset that was not planned in partitions", store.show(RUN)))
        })?;
        run.check_version()?;
        let plan = blake3::hash(&text).to_hex().to_string();
        Ok(PlannedRun { store, run, partitions, plan })
    }

    /// What there is of `partition`; its files are read, and held against its marker.
    ///
    /// # Errors
    /// The place cannot be read.
    pub(crate) fn progress(&self, partition: u32) -> Result<Progress, Error> {
        let Some(marker) = self.marker(partition)? else { return Ok(Progress::Missing) };
        match self.files(&marker) {
            Ok(_) => Ok(Progress::Complete(marker)),
            Err(Error::Invalid(why)) => Ok(Progress::Damaged(why)),
            Err(error) => Err(error),
        }
    }

    /// The marker of `partition`; `None` if it is not complete.
    pub(crate) fn marker(&self, partition: u32) -> Result<Option<Marker>, Error> {
        // A marker that cannot be read says nothing: the partition is made again.
        let marker = self.store.read(&marker_name(partition))?.and_then(|text| serde_json::from_slice(&text).ok());
        Ok(marker.filter(|marker: &Marker| marker.plan == self.plan && marker.partition == partition))
    }

    /// The files of the records and of the rejects of a finished partition.
    ///
    /// # Errors
    /// One is missing or not what the marker says.
    pub(crate) fn files(&self, marker: &Marker) -> Result<[(String, Vec<u8>); 2], Error> {
        let file = |name: String, hash: &str| {
            let contents = self.store.read(&name)?;
            match contents.filter(|contents| blake3::hash(contents).to_hex().as_str() == hash) {
                Some(contents) => Ok((name, contents)),
                None => Err(Error::Invalid(format!(
                    "`{}` is missing or damaged; `gen-dataset run` makes partition {} again",
                    self.store.show(&name),
                    marker.partition
                ))),
            }
        };
        Ok([
            file(records_name(marker.partition), &marker.blake3)?,
            file(rejects_name(marker.partition), &marker.rejects_blake3)?,
        ])
    }
}

/// The file of the marker of a partition.
pub(crate) fn marker_name(partition: u32) -> String {
    format!("parts/{partition:05}.json")
}
