//! The trait of judges, and the folder where they are installed.

use super::case::Case;
use crate::model::{JudgeKind, Outcome};
use std::path::PathBuf;

/// A judge.
pub trait Judge: Send {
    /// The kind of the judge.
    fn kind(&self) -> JudgeKind;

    /// The versions of its programs, for messages and records.
    fn version(&self) -> String;

    /// Judges `cases`. The outcomes are in the order of the cases. A case without a text for this judge is skipped.
    ///
    /// # Errors
    /// A failure of the judge itself, for example if it cannot write a temporary file.
    fn judge(&mut self, cases: &[Case]) -> Result<Vec<Outcome>, String>;

    /// The number of launches so far that ended without a fault but are too ill-conditioned to compare.
    fn undecided(&self) -> usize {
        0
    }
}

/// The folder that `scripts/install-judges.sh` fills: `WEFT_JUDGES`, or the nearest `.judges` in the current folder or
/// above.
///
/// # Errors
/// A sentence with the command that creates the folder.
pub fn folder() -> Result<PathBuf, String> {
    installation("WEFT_JUDGES", ".judges")
        .ok_or_else(|| "the folder `.judges` does not exist; `scripts/install-judges.sh` makes it".to_owned())
}

/// The folder that an install script fills: the value of the environment variable `variable`, or the nearest folder
/// `name` in the current folder or above.
pub(crate) fn installation(variable: &str, name: &str) -> Option<PathBuf> {
    if let Some(folder) = std::env::var_os(variable) {
        return Some(PathBuf::from(folder));
    }
    let here = std::env::current_dir().ok()?;
    here.ancestors().map(|folder| folder.join(name)).find(|folder| folder.is_dir())
}
