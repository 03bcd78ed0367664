//! Files of rows, by format.

use super::parquet::{ParquetWriter, read_parquet};
use crate::cli::Format;
use crate::error::Error;
use crate::files::staging::StagedFile;
use crate::model::columns::{Column, record};
use serde_json::Value;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

/// How hard zstd tries: where more takes much longer and saves little.
pub(crate) const ZSTD_LEVEL: i32 = 4;

/// Takes the rows of a file, one after the other.
pub(crate) trait TableWriter: Send {
    /// Adds a row.
    fn write(&mut self, row: Value) -> Result<(), Error>;
    /// Brings everything to the disk.
    fn finish(self: Box<Self>) -> Result<(), Error>;
}

/// A new file at `path`, of a format that has files of rows.
pub(crate) fn create(path: &Path, format: Format, columns: Vec<Column>) -> Result<Box<dyn TableWriter>, Error> {
    Ok(match format {
        Format::Parquet => Box::new(ParquetWriter::create(path, columns)?),
        Format::JsonlZst => Box::new(CompressedLines::create(path)?),
        Format::Jsonl | Format::Files => Box::new(Lines(StagedFile::create(path.to_owned())?)),
    })
}

/// An object on each line.
struct Lines(StagedFile);

impl TableWriter for Lines {
    fn write(&mut self, row: Value) -> Result<(), Error> {
        self.0.write(&super::line(&row)?)
    }

    fn finish(self: Box<Self>) -> Result<(), Error> {
        self.0.finish().map(drop)
    }
}

/// The same, compressed.
struct CompressedLines {
    encoder: zstd::Encoder<'static, StagedFile>,
    path: PathBuf,
}

impl CompressedLines {
    fn create(path: &Path) -> Result<CompressedLines, Error> {
        let file = StagedFile::create(path.to_owned())?;
        let encoder = zstd::Encoder::new(file, ZSTD_LEVEL).and_then(|mut encoder| {
            encoder.include_checksum(true)?;
            Ok(encoder)
        });
        Ok(CompressedLines { encoder: encoder.map_err(Error::io("write", path))?, path: path.to_owned() })
    }
}

impl TableWriter for CompressedLines {
    fn write(&mut self, row: Value) -> Result<(), Error> {
        self.encoder.write_all(&super::line(&row)?).map_err(Error::io("write", &self.path))
    }

    fn finish(self: Box<Self>) -> Result<(), Error> {
        self.encoder.finish().map_err(Error::io("write", &self.path))?.finish().map(drop)
    }
}

/// A row as it lies on disk.
#[derive(Debug)]
pub(crate) enum StoredRow {
    /// A line of JSON, with its end.
    Line(Vec<u8>),
    /// A row of columns, or what is wrong with it.
    Row(Result<Value, String>),
}

/// The rows of a file.
pub(crate) type Rows = Box<dyn Iterator<Item = Result<StoredRow, Error>>>;

/// The rows of the file at `path`, whose name says its format. `columns` are those that it may have.
pub(crate) fn read(path: &Path, columns: &'static [Column]) -> Result<Rows, Error> {
    match is_parquet(path) {
        true => Ok(Box::new(read_parquet(path, columns, None)?.map(|row| row.map(StoredRow::Row)))),
        false => Ok(Box::new(lines_of(path)?.map(|line| line.map(StoredRow::Line)))),
    }
}

/// The records among them whose id starts with `id`. Little more than the ids of the others is looked at.
pub(crate) fn read_by_id(path: &Path, id: &str) -> Result<Rows, Error> {
    if is_parquet(path) {
        return Ok(Box::new(read_parquet(path, record(), Some(id))?.map(|row| row.map(StoredRow::Row))));
    }
    // The id is the first field, and this program writes no spaces.
    let head = format!("{{\"id\":\"{id}").into_bytes();
    let is_wanted = move |line: &Result<Vec<u8>, Error>| line.as_ref().map_or(true, |line| line.starts_with(&head));
    Ok(Box::new(lines_of(path)?.filter(is_wanted).map(|line| line.map(StoredRow::Line))))
}

fn is_parquet(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "parquet")
}

/// The lines of the file at `path`, which may be compressed.
fn lines_of(path: &Path) -> Result<impl Iterator<Item = Result<Vec<u8>, Error>> + use<>, Error> {
    let name = path.as_os_str().as_encoded_bytes();
    let file = BufReader::new(File::open(path).map_err(Error::io("read", path))?);
    let lines: Box<dyn Read> = match name.ends_with(b".zst") {
        true => Box::new(zstd::Decoder::with_buffer(file).map_err(Error::io("read", path))?),
        false => Box::new(file),
    };
    Ok(read_lines(BufReader::new(lines), path.to_owned()))
}

/// The lines of a text, with their ends.
pub(crate) fn read_lines(mut text: impl BufRead, path: PathBuf) -> impl Iterator<Item = Result<Vec<u8>, Error>> {
    let mut is_over = false;
    std::iter::from_fn(move || {
        let mut line = Vec::new();
        match text.read_until(b'\n', &mut line) {
            _ if is_over => None,
            Ok(0) => None,
            Ok(_) => Some(Ok(line)),
            Err(error) => {
                is_over = true;
                Some(Err(Error::Invalid(format!("`{}` is damaged: {error}; make it again", path.display()))))
            }
        }
    })
}
