//! What writers of records and of tables have in common.

use super::stats::Tables;
use crate::error::Error;
use crate::model::Record;
use serde_json::Value;
use std::path::PathBuf;

/// How hard zstd tries: where more takes much longer and saves little.
pub(crate) const ZSTD_LEVEL: i32 = 4;

/// Takes the records of a dataset, one after the other.
pub(crate) trait RecordWriter: Send {
    /// Adds a record.
    fn write(&mut self, record: &Record) -> Result<(), Error>;
    /// Brings everything to the disk.
    fn finish(self: Box<Self>) -> Result<Finished, Error>;
}

/// What a writer has written.
#[derive(Debug)]
pub(crate) struct Finished {
    /// The temporary name of the data.
    pub(crate) path: PathBuf,
    /// What the tables hold; empty for a folder for each record.
    pub(crate) tables: Tables,
}

/// Takes the rows of a file, one after the other.
pub(crate) trait TableWriter: Send {
    /// Adds a row.
    fn write(&mut self, row: Value) -> Result<(), Error>;
    /// Brings everything to the disk.
    fn finish(self: Box<Self>) -> Result<(), Error>;
}
