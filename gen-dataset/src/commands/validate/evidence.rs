//! The evidence file: the outcomes for each record, to be joined with the dataset by `id`.

use crate::error::Error;
use crate::files::{StagedFile, Staging};
use crate::model::Outcome;
use serde_json::{Map, Value, json};
use std::path::Path;

/// A file with one JSON line for each record. It is published when it is complete.
pub(super) struct Evidence {
    staging: Staging,
    file: StagedFile,
    checks: Vec<String>,
    toolchains: Vec<String>,
}

impl Evidence {
    /// Opens the file `path`. `checks` are the columns, and `toolchains` the programs that took part.
    ///
    /// # Errors
    /// The file cannot be created.
    pub(super) fn create(path: &Path, checks: Vec<String>, toolchains: Vec<String>) -> Result<Evidence, Error> {
        let (staging, file) = Staging::of_file(path)?;
        let checks = checks.iter().map(|check| check.to_lowercase().replace(' ', "_")).collect();
        Ok(Evidence { staging, file, checks, toolchains })
    }

    /// Adds the outcomes for the record `id`, which was read from `location`.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn record(&mut self, id: Option<&str>, location: &str, outcomes: &[Outcome]) -> Result<(), Error> {
        let word = |outcome: &Outcome| match outcome {
            Outcome::Passed => "passed",
            Outcome::Failed(_) => "failed",
            Outcome::Skipped => "skipped",
        };
        let found = self.checks.iter().cloned().zip(outcomes.iter().map(|outcome| json!(word(outcome))));
        let failures = self.checks.iter().zip(outcomes).filter_map(|(check, outcome)| match outcome {
            Outcome::Failed(why) => Some(format!("{check}: {why}")),
            _ => None,
        });
        let head = [("id".to_owned(), json!(id)), ("location".to_owned(), json!(location))];
        let tail = [
            ("failures".to_owned(), json!(failures.collect::<Vec<_>>())),
            ("toolchains".to_owned(), json!(self.toolchains)),
        ];
        let line: Map<String, Value> = head.into_iter().chain(found).chain(tail).collect();
        self.file.write(format!("{}\n", Value::Object(line)).as_bytes())
    }

    /// Publishes the file.
    ///
    /// # Errors
    /// The file cannot be written or renamed.
    pub(super) fn publish(self) -> Result<(), Error> {
        self.file.finish()?;
        self.staging.publish()
    }
}
