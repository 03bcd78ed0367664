//! A dataset read again, record by record.

use super::{DATA_FILE, RUN, Run, SAMPLES, line, read_folder, read_json, sample_folders};
use crate::cli::Format;
use crate::error::Error;
use crate::record::{Record, SCHEMA_VERSION};
use serde::Deserialize;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

/// A record as it lies on disk, not yet parsed.
#[derive(Debug)]
pub(crate) struct Stored {
    /// Where it is, for people: a file with a line number, or a folder.
    pub(crate) location: String,
    contents: Contents,
}

#[derive(Debug)]
enum Contents {
    Line(Vec<u8>),
    Folder(PathBuf),
}

/// The little of a record that every version has.
#[derive(Deserialize)]
struct Versioned {
    schema_version: u32,
}

impl Stored {
    /// The record.
    ///
    /// # Errors
    /// A sentence that says how it differs from what this program writes.
    pub(crate) fn record(&self) -> Result<Record, String> {
        match &self.contents {
            Contents::Line(text) => parse_line(text),
            Contents::Folder(folder) => read_folder(folder),
        }
    }
}

fn parse_line(text: &[u8]) -> Result<Record, String> {
    if !text.ends_with(b"\n") {
        return Err("the line is cut off: it has no end".to_owned());
    }
    let malformed = |error: serde_json::Error| format!("not a record: {error}");
    let Versioned { schema_version } = serde_json::from_slice(text).map_err(malformed)?;
    if schema_version != SCHEMA_VERSION {
        return Err(format!("schema version {schema_version}; this program reads {SCHEMA_VERSION}"));
    }
    let record: Record = serde_json::from_slice(text).map_err(malformed)?;
    match line(&record) {
        Ok(canonical) if canonical == text => Ok(record),
        _ => Err("not written by this program: the fields or numbers have another form".to_owned()),
    }
}

/// Records in order, as they lie on disk.
pub(crate) type StoredRecords = Box<dyn Iterator<Item = Result<Stored, Error>>>;

/// Every record of the dataset in `dir`, and the file or folder that they are in.
///
/// # Errors
/// There is no dataset, or it cannot be read.
pub(crate) fn stored(dir: &Path) -> Result<(PathBuf, StoredRecords), Error> {
    let (data, samples) = (dir.join(DATA_FILE), dir.join(SAMPLES));
    let run: Option<Run> = read_json(&dir.join(RUN))?;
    let folders = match run {
        Some(run) => run.settings.format == Format::Files,
        None => !data.is_file(),
    };
    if folders && samples.is_dir() {
        let found = sample_folders(&samples)?
            .into_iter()
            .map(|folder| Ok(Stored { location: folder.display().to_string(), contents: Contents::Folder(folder) }));
        return Ok((samples, Box::new(found)));
    }
    if !folders && data.is_file() {
        let found = lines(&data)?;
        return Ok((data, Box::new(found)));
    }
    Err(Error::Config(format!(
        "`{}` holds no finished dataset; `gen-dataset generate --output` writes one",
        dir.display()
    )))
}

fn lines(path: &Path) -> Result<impl Iterator<Item = Result<Stored, Error>> + use<>, Error> {
    let path = path.to_owned();
    let mut file = BufReader::new(File::open(&path).map_err(Error::io("read", &path))?);
    let mut number = 0;
    Ok(std::iter::from_fn(move || {
        let mut text = Vec::new();
        number += 1;
        match file.read_until(b'\n', &mut text) {
            Ok(0) => None,
            Ok(_) => {
                Some(Ok(Stored { location: format!("{}:{number}", path.display()), contents: Contents::Line(text) }))
            }
            Err(error) => Some(Err(Error::io("read", &path)(error))),
        }
    }))
}
