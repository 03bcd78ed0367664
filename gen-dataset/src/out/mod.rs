//! A dataset on disk: its files, and how they come into being and are read again.

mod card;
mod digest;
mod folders;
mod jsonl;
mod prepare;
mod reader;
mod staging;
mod stats;

pub(crate) use card::card;
pub(crate) use digest::digest;
pub(crate) use folders::{FolderWriter, file_name};
use folders::{read_folder, sample_folders};
pub(crate) use jsonl::JsonlWriter;
pub(crate) use prepare::{Prepared, prepare};
pub(crate) use reader::{Stored, stored};
pub(crate) use staging::Staging;
use staging::{is_temporary, remove_temporaries};
pub(crate) use stats::{NearDuplicates, Stats};

use crate::cli::Format;
use crate::error::Error;
use crate::record::{GENERATOR_VERSION, Record, SCHEMA_VERSION};
use crate::settings::Settings;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The file of the settings.
pub(crate) const RUN: &str = "run.json";
/// The file of the counts.
pub(crate) const STATS: &str = "stats.json";
/// The dataset card.
pub(crate) const CARD: &str = "README.md";
/// The file of the kernels that no record could be made of.
pub(crate) const REJECTS: &str = "rejects.jsonl";
/// The folder of the data files.
pub(crate) const DATA: &str = "data";
/// The data file.
pub(crate) const DATA_FILE: &str = "data/train-00000-of-00001.jsonl";
/// The folder of the samples, of format `files`.
pub(crate) const SAMPLES: &str = "samples";

/// Where a format keeps its records: the file or folder that is written last.
pub(crate) fn data_path(format: Format) -> &'static str {
    match format {
        Format::Files => SAMPLES,
        Format::Jsonl | Format::Parquet => DATA_FILE,
    }
}

/// What `run.json` holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Run {
    schema_version: u32,
    generator_version: String,
    /// What the dataset was made with.
    pub(crate) settings: Settings,
}

impl Run {
    /// A run of this program with `settings`.
    pub(crate) fn new(settings: Settings) -> Run {
        Run { schema_version: SCHEMA_VERSION, generator_version: GENERATOR_VERSION.to_owned(), settings }
    }

    /// The first thing in which two runs differ: its name, and its values here and there.
    pub(crate) fn difference(&self, other: &Run) -> Option<(String, String, String)> {
        let flat = |run: &Run| {
            let mut fields = vec![
                ("schema_version".to_owned(), run.schema_version.to_string()),
                ("generator_version".to_owned(), run.generator_version.clone()),
            ];
            if let Ok(serde_json::Value::Object(settings)) = serde_json::to_value(&run.settings) {
                fields.extend(settings.into_iter().map(|(name, value)| (name, value.to_string())));
            }
            fields
        };
        let mut pairs = flat(self).into_iter().zip(flat(other));
        pairs.find(|(here, there)| here != there).map(|((name, here), (_, there))| (name, here, there))
    }
}

/// Takes the records of a dataset, one after the other.
pub(crate) trait RecordWriter {
    /// Adds a record.
    fn write(&mut self, record: &Record) -> Result<(), Error>;
    /// Brings everything to the disk; the temporary name of the data.
    fn finish(self: Box<Self>) -> Result<PathBuf, Error>;
}

/// `value` as indented JSON with a line end.
pub(crate) fn pretty(value: &impl Serialize) -> Result<Vec<u8>, Error> {
    let mut text = serde_json::to_vec_pretty(value).map_err(|error| Error::Internal(error.to_string()))?;
    text.push(b'\n');
    Ok(text)
}

/// `value` as a line of JSON.
pub(crate) fn line(value: &impl Serialize) -> Result<Vec<u8>, Error> {
    let mut text = serde_json::to_vec(value).map_err(|error| Error::Internal(error.to_string()))?;
    text.push(b'\n');
    Ok(text)
}

/// Reads a JSON file; `None` if it does not exist.
pub(crate) fn read_json<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, Error> {
    match fs::read(path) {
        Ok(text) => match serde_json::from_slice(&text) {
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(Error::Config(format!("`{}` is not what this program writes: {error}", path.display()))),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::io("read", path)(error)),
    }
}

/// What is in `folder`, in order.
pub(crate) fn entries(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let entries = fs::read_dir(folder).and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect());
    let mut entries: Vec<PathBuf> = entries.map_err(Error::io("read", folder))?;
    entries.sort();
    Ok(entries)
}
