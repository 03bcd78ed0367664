//! Reads a dataset, record by record.

use super::folders::{read_folder, sample_folders};
use super::layout::{DATA, REJECTS, RUN, SAMPLES};
use super::manifest::Manifest;
use super::tables::{self, Rows, StoredRow};
use crate::error::Error;
use crate::files::{entries, line, read_json};
use crate::model::columns;
use crate::model::{Config, Format, OLDEST_SCHEMA, Record, Reject, SCHEMA_VERSION, Split};
use serde::Deserialize;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// A record as stored, not yet parsed.
#[derive(Debug)]
pub(crate) struct Stored {
    /// The place in messages: a file with the number of the line or row, or a folder.
    pub(crate) location: String,
    contents: Contents,
}

#[derive(Debug)]
enum Contents {
    Row(StoredRow),
    Folder(PathBuf),
}

/// The one field that is the same in every schema version.
#[derive(Deserialize)]
struct Versioned {
    schema_version: u32,
}

impl Stored {
    /// Parses the record.
    ///
    /// # Errors
    /// A sentence about its difference from what this program writes.
    pub(crate) fn record(&self) -> Result<Record, String> {
        match &self.contents {
            Contents::Row(StoredRow::Line(text)) => parse_line(text),
            Contents::Row(StoredRow::Row(row)) => parse_row(row),
            Contents::Folder(folder) => {
                let record = read_folder(folder)?;
                check_version(record.schema_version).map(|()| record)
            }
        }
    }
}

/// Parses the record in a line of JSON, which must end with a newline.
///
/// The line must be exactly what this program writes for the record, because `validate` judges the bytes of a dataset.
///
/// # Errors
/// A sentence about its difference from what this program writes.
pub(crate) fn parse_line(text: &[u8]) -> Result<Record, String> {
    if !text.ends_with(b"\n") {
        return Err("the line is cut off: it has no end".to_owned());
    }
    let malformed = |error: serde_json::Error| format!("not a record: {error}");
    let Versioned { schema_version } = serde_json::from_slice(text).map_err(malformed)?;
    check_version(schema_version)?;
    let record: Record = serde_json::from_slice(text).map_err(malformed)?;
    match canonical(&record) {
        Ok(canonical) if canonical == text => Ok(record),
        _ => Err("not written by this program: fields or numbers have another form".to_owned()),
    }
}

/// `record` as a line, in the form of its schema version.
fn canonical(record: &Record) -> Result<Vec<u8>, Error> {
    if record.schema_version == SCHEMA_VERSION {
        return line(record);
    }
    let json = |value: serde_json::Result<Value>| value.map_err(|error| Error::Internal(error.to_string()));
    let mut row = json(serde_json::to_value(record))?;
    row["example"] = json(serde_json::to_value(&record.example))?;
    line(&row)
}

/// Parses the record in a row of columns.
fn parse_row(row: &Result<Value, String>) -> Result<Record, String> {
    let row = row.as_ref().map_err(String::clone)?;
    let malformed = |error: serde_json::Error| format!("not a record: {error}");
    let Versioned { schema_version } = Versioned::deserialize(row).map_err(malformed)?;
    check_version(schema_version)?;
    Record::deserialize(row).map_err(malformed)
}

fn check_version(schema_version: u32) -> Result<(), String> {
    match schema_version {
        OLDEST_SCHEMA..=SCHEMA_VERSION => Ok(()),
        _ => Err(format!("schema version {schema_version}; this program reads {OLDEST_SCHEMA} to {SCHEMA_VERSION}")),
    }
}

/// Records in order, as stored.
pub(crate) type StoredRecords = Box<dyn Iterator<Item = Result<Stored, Error>>>;

/// All records of the dataset in `dir`, and the folder of the data.
///
/// # Errors
/// There is no dataset, or it cannot be read.
pub(crate) fn stored(dir: &Path) -> Result<(PathBuf, StoredRecords), Error> {
    Ok(match data(dir)? {
        Data::Samples(folders) => (dir.join(SAMPLES), Box::new(folders.into_iter().map(|folder| Ok(sample(folder))))),
        Data::Tables(files) => (dir.join(DATA), Box::new(files.into_iter().flat_map(|file| rows(&file, read_all)))),
    })
}

/// The records of the dataset in `dir` whose ids start with `id`.
///
/// # Errors
/// There is no dataset, or it cannot be read.
pub(crate) fn find_record(dir: &Path, id: &str) -> Result<Found, Error> {
    let records: StoredRecords = match data(dir)? {
        Data::Samples(folders) => Box::new(folders.into_iter().map(|folder| Ok(sample(folder)))),
        Data::Tables(files) => {
            let id = id.to_owned();
            Box::new(files.into_iter().flat_map(move |file| rows(&file, |file| tables::read_by_id(file, &id))))
        }
    };
    let (mut first, mut ids) = (None, Vec::new());
    for item in records {
        match item?.record() {
            Ok(record) if record.id == id => return Ok(Found::One(Box::new(record))),
            Ok(record) if record.id.starts_with(id) => {
                ids.push(record.id.clone());
                first.get_or_insert(record);
                if ids.len() > FEW {
                    break;
                }
            }
            _ => {}
        }
    }
    Ok(match (first, ids.len()) {
        (None, _) => Found::None,
        (Some(record), 1) => Found::One(Box::new(record)),
        _ => Found::Several(ids),
    })
}

/// The number of ids in the message about an ambiguous id.
pub(crate) const FEW: usize = 3;

/// The records whose id starts with a given text.
pub(crate) enum Found {
    /// There is no such record.
    None,
    /// There is one such record.
    One(Box<Record>),
    /// There are several: the first [`FEW`] ids, and one more if there are more.
    Several(Vec<String>),
}

/// Where the records of a dataset are stored.
enum Data {
    /// The folders of the format `files`.
    Samples(Vec<PathBuf>),
    /// The files of the config `default`.
    Tables(Vec<PathBuf>),
}

fn data(dir: &Path) -> Result<Data, Error> {
    let (data, samples) = (dir.join(DATA), dir.join(SAMPLES));
    let run: Option<Manifest> = read_json(&dir.join(RUN))?;
    let folders = match run {
        Some(run) => run.settings.format == Format::Files,
        None => !data.is_dir(),
    };
    if folders && samples.is_dir() {
        return sample_folders(&samples).map(Data::Samples);
    }
    let files = if folders { Vec::new() } else { table_files(dir, Config::Default)? };
    match files.is_empty() {
        true => Err(Error::Config(format!(
            "`{}` holds no finished dataset; `gen-dataset generate --output` writes one",
            dir.display()
        ))),
        false => Ok(Data::Tables(files.into_iter().map(|(_, file)| file).collect())),
    }
}

fn sample(folder: PathBuf) -> Stored {
    Stored { location: folder.display().to_string(), contents: Contents::Folder(folder) }
}

fn read_all(file: &Path) -> Result<Rows, Error> {
    tables::read(file, columns::record())
}

/// The rejects of the dataset in `dir`.
pub(crate) fn rejects(dir: &Path) -> Result<Vec<Reject>, Error> {
    let path = dir.join(REJECTS);
    let text = fs::read_to_string(&path).map_err(Error::io("read", &path))?;
    let reject = |line: &str| {
        serde_json::from_str(line).map_err(|error| Error::Invalid(format!("`{}`: {error}", path.display())))
    };
    text.lines().map(reject).collect()
}

/// The rows of a file, numbered in order. `read` reads the file.
fn rows(file: &Path, read: impl FnOnce(&Path) -> Result<Rows, Error>) -> StoredRecords {
    let rows: Rows = match read(file) {
        Ok(rows) => rows,
        Err(error) => return Box::new(std::iter::once(Err(error))),
    };
    let shown = file.display().to_string();
    Box::new((1..).zip(rows).map(move |(number, row)| {
        row.map(|row| Stored { location: format!("{shown}:{number}"), contents: Contents::Row(row) })
    }))
}

/// The files of a config of the dataset in `dir`, in order, with their splits.
///
/// # Errors
/// A file is missing.
pub(crate) fn table_files(dir: &Path, config: Config) -> Result<Vec<(Split, PathBuf)>, Error> {
    let folder = dir.join(DATA).join(config.name());
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let names = entries(&folder)?;
    let mut found = Vec::new();
    for split in Split::ALL {
        let numbered = |path: &Path| {
            let name = path.file_name()?.to_str()?.strip_prefix(split.name())?.strip_prefix('-')?;
            let (number, rest) = name.split_once("-of-")?;
            Some((number.parse::<usize>().ok()?, rest.split_once('.')?.0.parse::<usize>().ok()?))
        };
        let files: Vec<_> = names.iter().filter_map(|path| Some((numbered(path)?, path))).collect();
        for (place, ((number, of), path)) in files.iter().enumerate() {
            if *number != place || *of != files.len() {
                return Err(Error::Invalid(format!(
                    "`{}` has {} files of split `{}`, but `{}` says {of}; restore the missing files",
                    folder.display(),
                    files.len(),
                    split.name(),
                    path.display()
                )));
            }
            found.push((split, path.to_path_buf()));
        }
    }
    Ok(found)
}
