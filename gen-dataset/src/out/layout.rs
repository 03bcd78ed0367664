//! Where the files of a dataset are.

use crate::model::Format;

/// The file of the settings.
pub(crate) const RUN: &str = "run.json";
/// The file of the counts.
pub(crate) const STATS: &str = "stats.json";
/// The dataset card.
pub(crate) const CARD: &str = "README.md";
/// The folder of what an interrupted run has proven: temporary, and gone on with by the next run of the same settings.
pub(crate) const JOURNAL: &str = "journal.tmp";
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
