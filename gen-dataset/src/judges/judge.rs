//! What every judge can do, and where judges are installed.

use super::case::Case;
use crate::model::{JudgeKind, Outcome};
use std::path::PathBuf;

/// Something that judges kernels.
pub trait Judge: Send {
    /// Which judge it is.
    fn kind(&self) -> JudgeKind;

    /// The versions of the programs that judge, for people.
    fn version(&self) -> String;

    /// Judges `cases`; the outcomes are in their order. A case without a text for this judge is skipped.
    ///
    /// # Errors
    /// The judge itself does not work, for example because no temporary file can be written.
    fn judge(&mut self, cases: &[Case]) -> Result<Vec<Outcome>, String>;

    /// The number of launches so far that ended without a fault and are too ill-conditioned to compare.
    fn undecided(&self) -> usize {
        0
    }
}

/// The folder that `scripts/install-judges.sh` fills: `WEFT_JUDGES`, or `.judges` in the working folder or above it.
///
/// # Errors
/// No such folder exists: a sentence that says what makes it.
pub fn folder() -> Result<PathBuf, String> {
    if let Some(folder) = std::env::var_os("WEFT_JUDGES") {
        return Ok(PathBuf::from(folder));
    }
    let here = std::env::current_dir().map_err(|error| error.to_string())?;
    let found = here.ancestors().map(|folder| folder.join(".judges")).find(|folder| folder.is_dir());
    found.ok_or_else(|| "there is no `.judges`; `scripts/install-judges.sh` makes it".to_owned())
}
