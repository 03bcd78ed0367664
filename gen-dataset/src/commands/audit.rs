//! `audit`: derives every figure of a dataset again from its files, and looks for leakage between splits.
//!
//! Card and counts must equal, byte for byte, what the program writes for the records, rejects and files of the
//! dataset. So the card cannot state a figure without a source in the files.

use super::term;
use crate::cli::AuditArgs;
use crate::error::Error;
use crate::files::{digest, pretty, read_json};
use crate::model::{Config, Record, Split};
use crate::out::{
    CARD, Manifest, RUN, STATS, Stats, StoredRow, TableCounts, Tables, bytes, card, read, rejects, stored, table_files,
};
use crate::split::Signature;
use serde_json::Value;
use std::collections::HashMap;
use std::fs;
use std::path::Path;

/// Audits the dataset that `args` names, and prints what was found.
pub(crate) fn audit(args: &AuditArgs) -> Result<(), Error> {
    let stats = inspect(&args.dir)?;
    let splits: Vec<String> = stats.splits.iter().map(|(split, records)| format!("{split} {records}")).collect();
    let rows: usize = stats.tables.values().flat_map(|splits| splits.values()).map(|counts| counts.rows).sum();
    term::print(&format!(
        "the card and the counts match the files: {} records ({}), {rows} rows in {}, {} rejects\n\
         no skeleton and no cluster of near-duplicates is in two splits\n",
        stats.records,
        splits.join(", "),
        term::number(stats.tables.len(), "config"),
        stats.rejected,
    ))
}

/// Derives the counts of the dataset from its files.
///
/// # Errors
/// The counts differ from those that the dataset states, or two splits share content.
fn inspect(dir: &Path) -> Result<Stats, Error> {
    let (data, records) = stored(dir)?;
    let run: Manifest = read_json(&dir.join(RUN))?
        .ok_or_else(|| Error::Invalid(format!("`{}` is missing", dir.join(RUN).display())))?;
    run.check_schema()?;
    let mut stats = Stats::new();
    let mut separation = Separation::default();
    for item in records {
        let item = item?;
        let record = item.record().map_err(|why| Error::Invalid(format!("{}: {why}", item.location)))?;
        separation.admit(&record).map_err(|why| Error::Invalid(format!("{}: {why}", item.location)))?;
        stats.record(&record);
    }
    for reject in rejects(dir)? {
        stats.reject(&reject);
    }
    stats.tables = tables(dir, &run, &separation)?;
    stats.data_blake3 = digest(&data)?;
    compare(&dir.join(STATS), &pretty(&stats)?)?;
    compare(&dir.join(CARD), card(&run, &stats).as_bytes())?;
    Ok(stats)
}

/// The counts of the table files.
fn tables(dir: &Path, run: &Manifest, separation: &Separation) -> Result<Tables, Error> {
    let mut tables = Tables::new();
    for config in Config::ALL {
        for (split, file) in table_files(dir, config)? {
            if !run.settings.configs.contains(&config) {
                return Err(Error::Invalid(format!(
                    "`{}` belongs to a config that `{RUN}` does not name",
                    file.display()
                )));
            }
            let splits = tables.entry(config.name().to_owned()).or_default();
            let counts = splits.entry(split.name().to_owned()).or_insert(TableCounts {
                files: 0,
                rows: 0,
                bytes: 0,
                contents: 0,
            });
            counts.files += 1;
            counts.bytes += fs::metadata(&file).map_err(Error::io("read", &file))?.len();
            for (number, row) in (1..).zip(read(&file, config.columns())?) {
                let wrong = |why: String| Error::Invalid(format!("{}:{number}: {why}", file.display()));
                let row: Value = match row? {
                    StoredRow::Line(text) => serde_json::from_slice(&text).map_err(|error| wrong(error.to_string()))?,
                    StoredRow::Row(row) => row.map_err(wrong)?,
                };
                let skeleton = row.get("skeleton_id").and_then(Value::as_str).unwrap_or_default();
                if separation.skeletons.get(skeleton).is_none_or(|there| *there != split) {
                    return Err(wrong(format!("its skeleton is not in split `{}` of the records", split.name())));
                }
                counts.rows += 1;
                counts.contents += bytes(&row) as u64;
            }
        }
    }
    Ok(tables)
}

/// Compares the contents of the file at `path` with `expected`.
fn compare(path: &Path, expected: &[u8]) -> Result<(), Error> {
    let there = fs::read(path).map_err(Error::io("read", path))?;
    if there == expected {
        return Ok(());
    }
    let (there, expected) = (String::from_utf8_lossy(&there), String::from_utf8_lossy(expected));
    let differs = (1..).zip(there.lines().zip(expected.lines())).find(|(_, (there, expected))| there != expected);
    Err(Error::Invalid(match differs {
        Some((line, (there, expected))) => {
            format!("`{}:{line}` says `{}`; the files say `{}`", path.display(), there.trim(), expected.trim())
        }
        None => format!("`{}` is longer or shorter than what the files say", path.display()),
    }))
}

/// The split of each skeleton and MinHash band so far.
#[derive(Default)]
struct Separation {
    skeletons: HashMap<String, Split>,
    /// The split of each hash in each MinHash band.
    bands: HashMap<(usize, u64), Split>,
}

impl Separation {
    /// Adds a record.
    ///
    /// # Errors
    /// Another split has its skeleton, or a near duplicate of its text.
    fn admit(&mut self, record: &Record) -> Result<(), String> {
        let split = Split::of_name(&record.split).ok_or_else(|| format!("there is no split `{}`", record.split))?;
        let name = split.name();
        if let Some(other) = self.skeletons.insert(record.skeleton_id.clone(), split).filter(|other| *other != split) {
            return Err(format!("its skeleton is in split `{}` as well as in `{name}`", other.name()));
        }
        for band in Signature::of(&record.rust_source).bands() {
            if let Some(other) = self.bands.insert(band, split).filter(|other| *other != split) {
                return Err(format!("nearly the same text is in split `{}`; this one is in `{name}`", other.name()));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures;
    use crate::fixtures::Dataset;

    fn dataset(args: &[&str]) -> Dataset {
        let dataset = Dataset::new(&[fixtures::info("math", "one"), fixtures::info("math", "two")]);
        dataset.generate(args).unwrap();
        dataset
    }

    #[test]
    fn what_was_written_is_derived_again_in_every_format() {
        for format in ["jsonl", "jsonl.zst", "parquet"] {
            let args =
                ["--source", "all", "--count", "40", "--splits", "60,20,20", "--hold-out", "loop", "--format", format];
            let dataset = dataset(&[&args[..], &["--configs", "default,sft,chat,rl,contrast"]].concat());
            let stats = inspect(&dataset.path()).unwrap();
            assert_eq!((stats.records, stats.splits.len(), stats.tables.len()), (40, 3, 5), "{format}");
            let held_out = dataset.records().into_iter().filter(|record| record.metadata.category == "loop");
            assert!(held_out.map(|record| record.split).all(|split| split == "test"));
        }
        inspect(&dataset(&["--format", "files"]).path()).unwrap();
    }

    #[test]
    fn a_figure_that_is_not_that_of_the_files_is_found() {
        let dataset = dataset(&["--format", "parquet"]);
        let path = dataset.path().join(CARD);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replace("num_examples: 2", "num_examples: 3")).unwrap();
        let error = inspect(&dataset.path()).unwrap_err().to_string();
        assert!(error.contains("says `num_examples: 3`; the files say `num_examples: 2`"), "{error}");
    }

    #[test]
    fn records_of_one_skeleton_in_two_splits_are_found() {
        let records = dataset(&[]).records();
        let mut separation = Separation::default();
        separation.admit(&records[0]).unwrap();
        let moved = Record { split: "test".to_owned(), ..records[1].clone() };
        assert!(separation.admit(&moved).unwrap_err().contains("its skeleton is in split `train`"));
        let other = Record { skeleton_id: "0".repeat(64), ..moved };
        assert!(separation.admit(&other).unwrap_err().contains("nearly the same text"));
    }
}
