//! What is in a folder, and names that a folder can hold.

use crate::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

/// What is in `folder`, in order.
pub(crate) fn entries(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let entries = fs::read_dir(folder).and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect());
    let mut entries: Vec<PathBuf> = entries.map_err(Error::io("read", folder))?;
    entries.sort();
    Ok(entries)
}

/// `name` with everything that a file name should not hold replaced.
pub(crate) fn file_name(name: &str) -> String {
    name.chars().map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' }).collect()
}
