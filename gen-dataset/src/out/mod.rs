//! A dataset on disk: its files, how they are written, and how they are read again.

mod arrays;
mod card;
mod dataset;
mod derived;
mod folders;
mod jsonl;
mod layout;
mod manifest;
mod parquet;
mod prepare;
mod reader;
mod schema;
mod shards;
mod stats;
mod tables;
mod writer;

pub(crate) use card::{card, tier_name};
pub(crate) use dataset::DatasetWriter;
pub(crate) use jsonl::read_lines;
#[cfg(test)]
pub(crate) use layout::DATA_FILE;
pub(crate) use layout::{CARD, JOURNAL, REJECTS, RUN, STATS, data_path};
pub(crate) use manifest::Manifest;
pub(crate) use parquet::bytes;
pub(crate) use prepare::{Prepared, announce, prepare};
pub(crate) use reader::{FEW, Found, Stored, find_record, parse_line, rejects, stored, table_files};
pub(crate) use schema::json_schema;
pub(crate) use stats::{Stats, TableCounts, Tables};
pub(crate) use tables::{StoredRow, read};
pub(crate) use writer::ZSTD_LEVEL;
