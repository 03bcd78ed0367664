//! The records of a dataset and the files that are made of them.

use crate::cli::ExportArgs;
use crate::error::Error;
use crate::files::file_name;
use crate::model::Record;
use crate::out::stored;
use std::fs;
use std::path::Path;

/// Calls `write` with every record, in order.
pub(super) fn each_record(
    args: &ExportArgs,
    mut write: impl FnMut(&Record) -> Result<(), RecordError>,
) -> Result<(), Error> {
    let (_, records) = stored(&args.dir)?;
    for item in records {
        let item = item?;
        let wrong = |why: String| Error::Invalid(format!("{}: {why}", item.location));
        let record = item.record().map_err(wrong)?;
        write(&record).map_err(|error| match error {
            RecordError::Wrong(why) => Error::Invalid(format!("{}: {why}", item.location)),
            RecordError::Failed(error) => error,
        })?;
    }
    Ok(())
}

/// Why nothing is exported of a record.
pub(super) enum RecordError {
    /// The record is wrong.
    Wrong(String),
    /// A file cannot be written.
    Failed(Error),
}

/// Checks that a folder is new or empty.
pub(super) fn check_empty(folder: &Path, option: &str) -> Result<(), Error> {
    let is_empty = fs::read_dir(folder).map_or(true, |mut entries| entries.next().is_none());
    match is_empty {
        true => Ok(()),
        false => Err(Error::Config(format!("`{}` is not empty; choose a new folder for `{option}`", folder.display()))),
    }
}

/// Writes a file to the folder of the record's family.
pub(super) fn write(folder: &Path, record: &Record, name: &str, content: &[u8]) -> Result<(), Error> {
    let folder = folder.join(file_name(&record.metadata.category));
    fs::create_dir_all(&folder).map_err(Error::io("create", &folder))?;
    let file = folder.join(name);
    fs::write(&file, content).map_err(Error::io("write", &file))
}
