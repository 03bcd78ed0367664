//! The names of the files of a dataset.

use crate::model::Format;

/// The file of the settings.
pub(crate) const RUN: &str = "run.json";
/// The file of the counts.
pub(crate) const STATS: &str = "stats.json";
/// The dataset card.
pub(crate) const CARD: &str = "README.md";
/// The folder of the journal of an interrupted run. It is temporary: the next run with the same settings continues it.
pub(crate) const JOURNAL: &str = "journal.tmp";
/// The file of the rejects.
pub(crate) const REJECTS: &str = "rejects.jsonl";
/// The folder of the data files.
pub(crate) const DATA: &str = "data";
/// The data file of a dataset without splits.
#[cfg(test)]
pub(crate) const DATA_FILE: &str = "data/default/train-00000-of-00001.jsonl";
/// The folder of the samples in format `files`.
pub(crate) const SAMPLES: &str = "samples";

/// The folder with the records of a format. It is published last.
pub(crate) fn data_path(format: Format) -> &'static str {
    match format {
        Format::Files => SAMPLES,
        Format::Jsonl | Format::JsonlZst | Format::Parquet => DATA,
    }
}
