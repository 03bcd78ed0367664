//! A planned run: its plan, and the markers of its complete partitions.
//!
//! A run is a folder or a prefix in an object store, with `run.json`, which never changes, and `parts/`. Each complete
//! partition has its records, its rejects and, written last, its marker there. The plan fixes the number of partitions.
//! The number of workers and their assignment are free, and no byte depends on them.

use super::journal::{records_name, rejects_name};
use super::store::Store;
use crate::error::Error;
use crate::files::{Lock, LockMode, pretty};
use crate::out::{Manifest, RUN};
use crate::pipeline::DatasetSpec;
use serde::{Deserialize, Serialize};

/// The file of the serialised benchmarks.
pub(super) const BENCHMARKS: &str = "benchmarks.txt";

/// A planned run and its progress. Reading it needs no compiler, judge or kernel.
pub(crate) struct PlannedRun {
    /// Where the run is stored.
    pub(crate) store: Store,
    /// The plan.
    pub(crate) run: Manifest,
    /// The number of partitions.
    pub(crate) partitions: u32,
    /// The hash of the plan.
    pub(super) plan: String,
}

/// The marker of a complete partition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Marker {
    /// The hash of the plan.
    pub(super) plan: String,
    /// The partition.
    pub(crate) partition: u32,
    /// The number of records.
    pub(crate) rows: usize,
    /// The number of rejects.
    pub(crate) rejected: usize,
    /// The size of its records file in bytes.
    pub(crate) bytes: u64,
    /// The BLAKE3 hash of its records file.
    pub(crate) blake3: String,
    /// The BLAKE3 hash of its rejects file.
    pub(crate) rejects_blake3: String,
}

/// The state of a partition.
#[derive(Clone, Debug)]
pub(crate) enum Progress {
    /// There is no marker.
    Missing,
    /// There is a marker, and a file does not match it. The text names the file.
    Damaged(String),
    /// There is a marker, and all files match it.
    Complete(Marker),
}

impl PlannedRun {
    /// Writes the plan of `spec` with `partitions` partitions. Returns whether the same plan existed already.
    ///
    /// # Errors
    /// Another plan exists, or a process writes a dataset there.
    pub(crate) fn plan(store: &Store, spec: &DatasetSpec, partitions: u32) -> Result<bool, Error> {
        let run = Manifest::new(spec.settings.clone(), Some(partitions));
        let text = pretty(&run)?;
        let _lock = store.local().map(|folder| Lock::folder(folder, LockMode::Shared)).transpose()?;
        match store.read(RUN)? {
            Some(there) if there == text => return Ok(true),
            Some(_) => {
                return Err(Error::Config(format!(
                    "`{}` holds a different plan, and a plan cannot be changed; choose another `--output`",
                    store.show(RUN)
                )));
            }
            None => {}
        }
        // The benchmarks are written first, so that a plan never exists without them.
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
            Error::Config(format!(
                "`{}` belongs to a dataset without partitions; `gen-dataset plan` writes a plan with them",
                store.show(RUN)
            ))
        })?;
        run.check_version()?;
        let plan = blake3::hash(&text).to_hex().to_string();
        Ok(PlannedRun { store, run, partitions, plan })
    }

    /// The state of `partition`. Its files are read and compared with its marker.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) fn progress(&self, partition: u32) -> Result<Progress, Error> {
        let Some(marker) = self.marker(partition)? else { return Ok(Progress::Missing) };
        match self.files(&marker) {
            Ok(_) => Ok(Progress::Complete(marker)),
            Err(Error::Invalid(why)) => Ok(Progress::Damaged(why)),
            Err(error) => Err(error),
        }
    }

    /// The marker of `partition`. `None` if the partition is not complete.
    pub(crate) fn marker(&self, partition: u32) -> Result<Option<Marker>, Error> {
        // A marker that cannot be parsed counts as missing: the partition is made again.
        let marker = self.store.read(&marker_name(partition))?.and_then(|text| serde_json::from_slice(&text).ok());
        Ok(marker.filter(|marker: &Marker| marker.plan == self.plan && marker.partition == partition))
    }

    /// The records file and the rejects file of a complete partition, each with its contents.
    ///
    /// # Errors
    /// A file is missing or does not match the marker.
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

/// The marker file of a partition.
pub(crate) fn marker_name(partition: u32) -> String {
    format!("parts/{partition:05}.json")
}
