//! A dataset as it is written: records go to its tables, kernels that failed to the rejects, and both are counted.

use super::card::card;
use super::folders::FolderWriter;
use super::layout::{CARD, DATA, REJECTS, RUN, SAMPLES, STATS};
use super::manifest::Manifest;
use super::shards::ShardWriter;
use super::stats::Stats;
use super::writer::RecordWriter;
use crate::error::Error;
use crate::files::{Lock, StagedFile, Staging, digest, line, pretty, remove_temporaries};
use crate::model::{Format, Record, Reject};
use std::fs;
use std::path::{Path, PathBuf};

/// Writes a dataset. Nothing has its final name before [`finish`](Self::finish).
pub(crate) struct DatasetWriter {
    folder: PathBuf,
    run: Manifest,
    /// What is published last.
    data: Staging,
    rest: Staging,
    stats: Stats,
    rejects: StagedFile,
    writer: Box<dyn RecordWriter>,
    /// Held until everything has its final name, or has vanished.
    _lock: Lock,
}

impl DatasetWriter {
    /// A dataset of `run` in `folder`, which exists and is locked by `lock`.
    pub(crate) fn new(folder: &Path, lock: Lock, run: &Manifest) -> Result<DatasetWriter, Error> {
        let mut data = Staging::new(folder);
        let mut rest = Staging::new(folder);
        let rejects = rest.create(REJECTS)?;
        let writer: Box<dyn RecordWriter> = match run.settings.format {
            Format::Files => Box::new(FolderWriter::new(&mut data)?),
            Format::Jsonl | Format::JsonlZst | Format::Parquet => Box::new(ShardWriter::new(&mut data, &run.settings)?),
        };
        let (folder, run, stats) = (folder.to_owned(), run.clone(), Stats::new());
        Ok(DatasetWriter { folder, run, data, rest, stats, rejects, writer, _lock: lock })
    }

    /// Adds a record.
    pub(crate) fn record(&mut self, record: &Record) -> Result<(), Error> {
        self.stats.record(record);
        self.writer.write(record)
    }

    /// Adds a kernel that no record could be made of.
    pub(crate) fn reject(&mut self, reject: &Reject) -> Result<(), Error> {
        self.stats.reject(reject);
        self.rejects.write(&line(reject)?)
    }

    /// Adds counts and card, and gives everything its final name.
    pub(crate) fn finish(mut self) -> Result<Stats, Error> {
        self.rejects.finish()?;
        let finished = self.writer.finish()?;
        self.stats.data_blake3 = digest(&finished.path)?;
        self.stats.tables = finished.tables;
        self.rest.write(RUN, &pretty(&self.run)?)?;
        self.rest.write(STATS, &pretty(&self.stats)?)?;
        self.rest.write(CARD, card(&self.run, &self.stats).as_bytes())?;
        self.rest.publish()?;
        self.data.publish()?;
        remove_other_format(&self.folder, self.run.settings.format)?;
        remove_temporaries(&self.folder, &[], &[])?;
        Ok(self.stats)
    }
}

/// Removes what an overwritten dataset of the other format has left.
fn remove_other_format(folder: &Path, format: Format) -> Result<(), Error> {
    let other = match format {
        Format::Files => DATA,
        Format::Jsonl | Format::JsonlZst | Format::Parquet => SAMPLES,
    };
    let other = folder.join(other);
    if other.is_dir() { fs::remove_dir_all(&other).map_err(Error::io("remove", &other)) } else { Ok(()) }
}
