//! Opens and reads table files, by format.

use super::jsonl::{CompressedLines, Lines, lines_of};
use super::parquet::{ParquetWriter, read_parquet};
use super::writer::TableWriter;
use crate::error::Error;
use crate::files::StagedFile;
use crate::model::Format;
use crate::model::columns::{self, Column};
use serde_json::Value;
use std::path::Path;

/// Opens a new file at `path`, in a format that has table files.
pub(crate) fn create(path: &Path, format: Format, columns: Vec<Column>) -> Result<Box<dyn TableWriter>, Error> {
    Ok(match format {
        Format::Parquet => Box::new(ParquetWriter::create(path, columns)?),
        Format::JsonlZst => Box::new(CompressedLines::create(path)?),
        Format::Jsonl | Format::Files => Box::new(Lines(StagedFile::create(path.to_owned())?)),
    })
}

/// A row as stored.
#[derive(Debug)]
pub(crate) enum StoredRow {
    /// A line of JSON, with its newline.
    Line(Vec<u8>),
    /// A row of columns, or a sentence about its defect.
    Row(Result<Value, String>),
}

/// The rows of a file.
pub(crate) type Rows = Box<dyn Iterator<Item = Result<StoredRow, Error>>>;

/// The rows of the file at `path`. The extension gives the format. `columns` are the columns that the file may have.
pub(crate) fn read(path: &Path, columns: &'static [Column]) -> Result<Rows, Error> {
    match is_parquet(path) {
        true => Ok(Box::new(read_parquet(path, columns, None)?.map(|row| row.map(StoredRow::Row)))),
        false => Ok(Box::new(lines_of(path)?.map(|line| line.map(StoredRow::Line)))),
    }
}

/// The records whose id starts with `id`. Of the other records little more than the id is read.
pub(crate) fn read_by_id(path: &Path, id: &str) -> Result<Rows, Error> {
    if is_parquet(path) {
        return Ok(Box::new(read_parquet(path, columns::record(), Some(id))?.map(|row| row.map(StoredRow::Row))));
    }
    // This program writes the id first and no spaces, so other lines need not be parsed.
    let head = format!("{{\"id\":\"{id}").into_bytes();
    let is_wanted = move |line: &Result<Vec<u8>, Error>| line.as_ref().map_or(true, |line| line.starts_with(&head));
    Ok(Box::new(lines_of(path)?.filter(is_wanted).map(|line| line.map(StoredRow::Line))))
}

fn is_parquet(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "parquet")
}
