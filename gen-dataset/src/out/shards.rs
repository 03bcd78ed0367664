//! The shard writer: a table for each config and split, in files of bounded size.
//!
//! The names are those that the Hugging Face hub expects: `data/<config>/<split>-00000-of-00004.parquet`. The number of
//! files is only known at the end; until then a name ends before `-of-`.

use super::layout::DATA;
use super::parquet::bytes;
use super::stats::{TableCounts, Tables};
use super::tables;
use super::writer::{Finished, RecordWriter, TableWriter};
use crate::error::Error;
use crate::files::Staging;
use crate::model::columns::present;
use crate::model::{Config, Format, Record, Settings, Split};
use crate::out::derived::rows as views;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The size of a file in bytes of contents; a file may exceed it by a row. Compression to about a fifth leaves some
/// hundred megabytes, as the hub recommends.
const FILE_BYTES: usize = 1 << 30;

/// Writes records and the rows of their derived configs to the data folder.
pub(crate) struct ShardWriter {
    root: PathBuf,
    settings: Settings,
    open: BTreeMap<(Config, Split), OpenTable>,
}

/// The open file of a config and split, and the counts of its earlier files.
struct OpenTable {
    folder: PathBuf,
    split: Split,
    writer: Box<dyn TableWriter>,
    /// The size of the open file, in bytes of contents.
    bytes: usize,
    files: usize,
    rows: usize,
    /// The size of the earlier files, in bytes of contents.
    before: usize,
}

impl ShardWriter {
    /// Announces the data folder.
    pub(crate) fn new(staging: &mut Staging, settings: &Settings) -> Result<ShardWriter, Error> {
        let root = staging.create_folder(DATA)?;
        Ok(ShardWriter { root, settings: settings.clone(), open: BTreeMap::new() })
    }

    fn put(&mut self, config: Config, split: Split, row: Value) -> Result<(), Error> {
        let settings = &self.settings;
        let create = |path: &Path| tables::create(path, settings.format, present(config.columns(), settings));
        let table = match self.open.entry((config, split)) {
            std::collections::btree_map::Entry::Occupied(entry) => entry.into_mut(),
            std::collections::btree_map::Entry::Vacant(entry) => {
                let folder = self.root.join(config.name());
                fs::create_dir_all(&folder).map_err(Error::io("create", &folder))?;
                let writer = create(&unnumbered(&folder, split, 0))?;
                entry.insert(OpenTable { folder, split, writer, bytes: 0, files: 1, rows: 0, before: 0 })
            }
        };
        if table.bytes >= FILE_BYTES {
            let next = create(&unnumbered(&table.folder, split, table.files))?;
            std::mem::replace(&mut table.writer, next).finish()?;
            table.files += 1;
            table.before += std::mem::take(&mut table.bytes);
        }
        table.bytes += bytes(&row);
        table.rows += 1;
        table.writer.write(row)
    }
}

impl OpenTable {
    /// Closes the last file and gives all files their final names.
    fn finish(self, format: Format) -> Result<TableCounts, Error> {
        self.writer.finish()?;
        let mut bytes = 0;
        for number in 0..self.files {
            let file = self.folder.join(file_name(self.split, number, self.files, format));
            let unnumbered = unnumbered(&self.folder, self.split, number);
            fs::rename(&unnumbered, &file).map_err(Error::io("rename", &unnumbered))?;
            bytes += fs::metadata(&file).map_err(Error::io("read", &file))?.len();
        }
        let contents = (self.before + self.bytes) as u64;
        Ok(TableCounts { files: self.files, rows: self.rows, bytes, contents })
    }
}

impl RecordWriter for ShardWriter {
    fn write(&mut self, record: &Record) -> Result<(), Error> {
        let split = Split::of_name(&record.split).unwrap_or(Split::Train);
        for config in self.settings.configs.clone() {
            let rows = views::rows(config, record, self.settings.rl_programs)
                .map_err(|why| Error::Internal(format!("record {}: {why}", record.id)))?;
            for row in rows {
                self.put(config, split, row)?;
            }
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Finished, Error> {
        let mut tables = Tables::new();
        for ((config, split), table) in self.open {
            let counts = table.finish(self.settings.format)?;
            tables.entry(config.name().to_owned()).or_default().insert(split.name().to_owned(), counts);
        }
        Ok(Finished { path: self.root, tables })
    }
}

/// The name of file `number` of `of` files.
pub(crate) fn file_name(split: Split, number: usize, of: usize, format: Format) -> String {
    format!("{}-{number:05}-of-{of:05}.{}", split.name(), format.extension().unwrap_or_default())
}

fn unnumbered(folder: &Path, split: Split, number: usize) -> PathBuf {
    folder.join(format!("{}-{number:05}", split.name()))
}
