//! Parquet files in the form that the Hugging Face hub recommends.
//!
//! - A row group ends at [`GROUP_BYTES`] of contents. The hub's viewer refuses row groups above about 286 MiB, and a
//!   reader holds a whole group in memory.
//! - Page boundaries follow from the contents (content-defined chunking). So a file that differs from another in some
//!   rows shares its other pages, and the hub stores and transfers these once.
//! - A page index lets readers skip pages that a filter excludes.
//!
//! Batches, row groups and pages follow from the rows alone, so equal rows give equal bytes.

use super::arrays;
use super::schema;
use super::writer::{TableWriter, ZSTD_LEVEL};
use crate::error::Error;
use crate::model::columns::{Column, Presence};
use ::parquet::arrow::arrow_reader::{
    ArrowPredicate, ArrowPredicateFn, ArrowReaderOptions, ParquetRecordBatchReaderBuilder, RowFilter,
};
use ::parquet::arrow::{ArrowWriter, ProjectionMask};
use ::parquet::basic::{Compression, ZstdLevel};
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::PageIndexPolicy;
use ::parquet::file::properties::{CdcOptions, EnabledStatistics, WriterProperties};
use ::parquet::schema::types::SchemaDescriptor;
use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_schema::SchemaRef;
use serde_json::Value;
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The number of rows in a record batch.
const BATCH: usize = 256;
/// The size of a row group in bytes of contents. A group may exceed it by a batch.
const GROUP_BYTES: usize = 64 << 20;

/// Writes rows to a Parquet file.
pub(crate) struct ParquetWriter {
    writer: ArrowWriter<BufWriter<File>>,
    schema: SchemaRef,
    columns: Vec<Column>,
    rows: Vec<Value>,
    group_bytes: usize,
    path: PathBuf,
}

impl ParquetWriter {
    /// Opens the file.
    pub(crate) fn create(path: &Path, columns: Vec<Column>) -> Result<ParquetWriter, Error> {
        let file = File::create(path).map_err(Error::io("create", path))?;
        let schema = Arc::new(schema::arrow(&columns));
        let level = ZstdLevel::try_new(ZSTD_LEVEL).map_err(failure("write", path))?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(level))
            .set_statistics_enabled(EnabledStatistics::Page)
            .set_content_defined_chunking(Some(CdcOptions::default()))
            // `write_batch` ends row groups, by bytes and not by rows.
            .set_max_row_group_row_count(None)
            .build();
        let writer = ArrowWriter::try_new(BufWriter::new(file), Arc::clone(&schema), Some(properties))
            .map_err(failure("write", path))?;
        Ok(ParquetWriter { writer, schema, columns, rows: Vec::new(), group_bytes: 0, path: path.to_owned() })
    }

    fn write_batch(&mut self) -> Result<(), Error> {
        let batch = arrays::batch(&self.schema, &self.columns, &self.rows).map_err(Error::Internal)?;
        self.writer.write(&batch).map_err(failure("write", &self.path))?;
        self.group_bytes += self.rows.iter().map(bytes).sum::<usize>();
        self.rows.clear();
        if self.group_bytes >= GROUP_BYTES {
            self.writer.flush().map_err(failure("write", &self.path))?;
            self.group_bytes = 0;
        }
        Ok(())
    }
}

impl TableWriter for ParquetWriter {
    fn write(&mut self, row: Value) -> Result<(), Error> {
        self.rows.push(row);
        if self.rows.len() == BATCH { self.write_batch() } else { Ok(()) }
    }

    fn finish(mut self: Box<Self>) -> Result<(), Error> {
        self.write_batch()?;
        let file = self.writer.into_inner().map_err(failure("write", &self.path))?;
        let file = file.into_inner().map_err(|error| Error::io("write", &self.path)(error.into_error()))?;
        file.sync_all().map_err(Error::io("write", &self.path))
    }
}

/// The approximate size of a value in columns, in bytes.
pub(crate) fn bytes(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(bytes).sum(),
        Value::Object(fields) => fields.values().map(bytes).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 8,
    }
}

/// Makes an error of a Parquet error about `path`, for use in `map_err`.
fn failure(action: &'static str, path: &Path) -> impl FnOnce(ParquetError) -> Error {
    let path = path.to_owned();
    move |error| match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(source) => Error::Io { action, path, source: *source },
            Err(other) => Error::Internal(format!("cannot {action} `{}`: {other}", path.display())),
        },
        other => Error::Internal(format!("cannot {action} `{}`: {other}", path.display())),
    }
}

/// The rows of a Parquet file with these columns; columns that only some datasets have may be absent. With `id`, only
/// rows whose id starts with it. The reader then skips all other columns of the other rows.
pub(crate) fn read_parquet(
    path: &Path,
    columns: &'static [Column],
    id: Option<&str>,
) -> Result<impl Iterator<Item = Result<Result<Value, String>, Error>> + use<>, Error> {
    let file = File::open(path).map_err(Error::io("read", path))?;
    let shown = path.display().to_string();
    let damaged = move |why: String| Error::Invalid(format!("`{shown}` is damaged: {why}; make it again"));
    let options = ArrowReaderOptions::new().with_page_index_policy(PageIndexPolicy::Optional);
    let builder = ParquetRecordBatchReaderBuilder::try_new_with_options(file, options)
        .map_err(|error| damaged(error.to_string()))?;
    let there: Vec<Column> = columns
        .iter()
        .filter(|column| column.presence == Presence::Always || builder.schema().field_with_name(column.name).is_ok())
        .copied()
        .collect();
    if builder.schema().fields() != &schema::fields(&there) {
        return Err(Error::Config(format!(
            "the columns of `{}` differ from those that this program writes; use the version that wrote it",
            path.display()
        )));
    }
    let builder = match id {
        None => builder,
        Some(id) => {
            let filter = RowFilter::new(vec![Box::new(starts_with(builder.parquet_schema(), id.to_owned()))]);
            builder.with_row_filter(filter)
        }
    };
    let batches = builder.with_batch_size(BATCH).build().map_err(|error| damaged(error.to_string()))?;
    Ok(batches.flat_map(move |batch| {
        let rows: Vec<Result<Result<Value, String>, Error>> = match batch {
            Ok(batch) => (0..batch.num_rows()).map(|place| Ok(arrays::row(&there, &batch, place))).collect(),
            Err(error) => vec![Err(damaged(error.to_string()))],
        };
        rows
    }))
}

/// The filter for rows whose id starts with `id`.
fn starts_with(schema: &SchemaDescriptor, id: String) -> impl ArrowPredicate {
    ArrowPredicateFn::new(ProjectionMask::columns(schema, ["id"]), move |batch: RecordBatch| {
        let ids = batch.column(0).as_string::<i32>();
        Ok(ids.iter().map(|there| there.map(|there| there.starts_with(&id))).collect())
    })
}
