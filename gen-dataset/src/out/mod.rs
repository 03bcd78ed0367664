//! A dataset on disk: its files, and how they come into being and are read again.

mod arrays;
mod card;
mod dataset;
mod derived;
mod folders;
mod parquet;
mod prepare;
mod reader;
mod schema;
mod shards;
mod stats;
mod tables;

pub(crate) use crate::files::digest::digest;
pub(crate) use crate::files::staging::{StagedFile, Staging, write_whole};
use crate::files::staging::{is_temporary, remove_temporaries};
pub(crate) use crate::model::config::Config;
pub(crate) use card::{card, tier_name};
pub(crate) use dataset::DatasetWriter;
pub(crate) use folders::{FolderWriter, file_name};
use folders::{read_folder, sample_folders};
pub(crate) use parquet::bytes;
pub(crate) use prepare::{Prepared, prepare};
pub(crate) use reader::{FEW, Found, Stored, find, parse_line, rejects, stored, table_files};
pub(crate) use schema::json_schema;
pub(crate) use shards::Shelves;
pub(crate) use stats::{Stats, TableCounts, Tables};
pub(crate) use tables::{StoredRow, ZSTD_LEVEL, read, read_lines};

use crate::cli::Format;
use crate::error::Error;
use crate::model::record::{GENERATOR_VERSION, Record, SCHEMA_VERSION};
use crate::pipeline::spec::Settings;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
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
/// The data file of a dataset that is not divided.
#[cfg(test)]
pub(crate) const DATA_FILE: &str = "data/default/train-00000-of-00001.jsonl";
/// The folder of the samples, of format `files`.
pub(crate) const SAMPLES: &str = "samples";

/// Where a format keeps its records: the folder that is written last.
pub(crate) fn data_path(format: Format) -> &'static str {
    match format {
        Format::Files => SAMPLES,
        Format::Jsonl | Format::JsonlZst | Format::Parquet => DATA,
    }
}

/// What `run.json` holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Run {
    schema_version: u32,
    generator_version: String,
    /// Into how many partitions the work is divided; none if it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) partitions: Option<u32>,
    /// What the dataset was made with.
    pub(crate) settings: Settings,
}

impl Run {
    /// A run of this program with `settings`, in so many partitions if it is divided.
    pub(crate) fn new(settings: Settings, partitions: Option<u32>) -> Run {
        Run { schema_version: SCHEMA_VERSION, generator_version: GENERATOR_VERSION.to_owned(), partitions, settings }
    }

    /// Whether this program can go on with it.
    ///
    /// # Errors
    /// Another version of the program made it.
    pub(crate) fn check_version(&self) -> Result<(), Error> {
        if self.schema_version == SCHEMA_VERSION && self.generator_version == GENERATOR_VERSION {
            return Ok(());
        }
        Err(Error::Config(format!(
            "the run was planned by version {} (schema {}); this is version {GENERATOR_VERSION} (schema {SCHEMA_VERSION}): use \
             that one, or make a new plan",
            self.generator_version, self.schema_version
        )))
    }

    /// The first thing in which two runs differ: its name, and its values here and there.
    pub(crate) fn difference(&self, other: &Run) -> Option<(String, String, String)> {
        let flat = |run: &Run| -> Map<String, Value> {
            let Ok(Value::Object(mut run)) = serde_json::to_value(run) else { return Map::new() };
            let settings = run.shift_remove("settings");
            run.extend(settings.as_ref().and_then(Value::as_object).cloned().unwrap_or_default());
            run
        };
        let (here, there) = (flat(self), flat(other));
        let shown = |run: &Map<String, Value>, name: &str| run.get(name).map_or("nothing".to_owned(), Value::to_string);
        let name = here.keys().chain(there.keys()).find(|name| here.get(*name) != there.get(*name))?;
        Some((name.clone(), shown(&here, name), shown(&there, name)))
    }
}

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
