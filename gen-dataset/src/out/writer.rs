//! The traits of record writers and table writers.

use super::stats::Tables;
use crate::error::Error;
use crate::model::Record;
use serde_json::Value;
use std::path::PathBuf;

/// The zstd level. Higher levels take much longer and save little.
pub(crate) const ZSTD_LEVEL: i32 = 4;

/// Writes the records of a dataset in order.
pub(crate) trait RecordWriter: Send {
    /// Adds a record.
    fn write(&mut self, record: &Record) -> Result<(), Error>;
    /// Syncs everything to disk.
    fn finish(self: Box<Self>) -> Result<Finished, Error>;
}

/// The result of a record writer.
#[derive(Debug)]
pub(crate) struct Finished {
    /// The data folder under its temporary name.
    pub(crate) path: PathBuf,
    /// The counts of the tables. Empty in format `files`.
    pub(crate) tables: Tables,
}

/// Writes the rows of a file in order.
pub(crate) trait TableWriter: Send {
    /// Adds a row.
    fn write(&mut self, row: Value) -> Result<(), Error>;
    /// Syncs the file to disk.
    fn finish(self: Box<Self>) -> Result<(), Error>;
}
