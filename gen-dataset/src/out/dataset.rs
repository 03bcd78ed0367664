//! Writes a dataset: records to its tables, rejects to their file, and the counts of both.

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

/// Writes a dataset. No file has its final name before [`finish`](Self::finish).
pub(crate) struct DatasetWriter {
    folder: PathBuf,
    run: Manifest,
    /// The data folder. It is published last, so a dataset is complete if the hash of its data matches its counts.
    data: Staging,
    rest: Staging,
    stats: Stats,
    rejects: StagedFile,
    writer: Box<dyn RecordWriter>,
    /// Held until all files have their final names, or are removed.
    _lock: Lock,
}

impl DatasetWriter {
    /// A dataset of `run` in `folder`, which must exist and be locked by `lock`.
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

    /// Adds a reject.
    pub(crate) fn reject(&mut self, reject: &Reject) -> Result<(), Error> {
        self.stats.reject(reject);
        self.rejects.write(&line(reject)?)
    }

    /// Writes counts and card, and gives all files their final names.
    pub(crate) fn finish(mut self) -> Result<Stats, Error> {
        self.rejects.finish()?;
        let finished = self.writer.finish()?;
        self.stats.data_blake3 = digest(&finished.path)?;
        self.stats.tables = finished.tables;
        self.rest.write(RUN, &pretty(&self.run)?)?;
        self.rest.write(STATS, &pretty(&self.stats)?)?;
        self.rest.write(CARD, card(&self.run, &self.stats).as_bytes())?;
        // `is_finished` compares the hash in the counts with the data, so a crash between the two calls is noticed.
        self.rest.publish()?;
        self.data.publish()?;
        remove_other_format(&self.folder, self.run.settings.format)?;
        remove_temporaries(&self.folder, &[], &[])?;
        Ok(self.stats)
    }
}

/// Removes the data of an overwritten dataset in another format.
fn remove_other_format(folder: &Path, format: Format) -> Result<(), Error> {
    let other = match format {
        Format::Files => DATA,
        Format::Jsonl | Format::JsonlZst | Format::Parquet => SAMPLES,
    };
    let other = folder.join(other);
    if other.is_dir() { fs::remove_dir_all(&other).map_err(Error::io("remove", &other)) } else { Ok(()) }
}
