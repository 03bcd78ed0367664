//! Records in one file, a JSON object on each line.

use super::staging::StagedFile;
use super::{DATA_FILE, RecordWriter, Staging, line};
use crate::error::Error;
use crate::record::Record;
use std::path::PathBuf;

/// Writes records to the data file.
#[derive(Debug)]
pub(crate) struct JsonlWriter(StagedFile);

impl JsonlWriter {
    /// Announces the data file.
    pub(crate) fn new(staging: &mut Staging) -> Result<JsonlWriter, Error> {
        staging.create(DATA_FILE).map(JsonlWriter)
    }
}

impl RecordWriter for JsonlWriter {
    fn write(&mut self, record: &Record) -> Result<(), Error> {
        self.0.write(&line(record)?)
    }

    fn finish(self: Box<Self>) -> Result<PathBuf, Error> {
        self.0.finish()
    }
}
