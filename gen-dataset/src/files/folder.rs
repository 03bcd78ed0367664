//! Lists folders, and makes file names.

use crate::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

/// The entries of `folder`, sorted by name. The order in which a file system lists them must not reach an output.
pub(crate) fn entries(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let entries = fs::read_dir(folder).and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect());
    let mut entries: Vec<PathBuf> = entries.map_err(Error::io("read", folder))?;
    entries.sort();
    Ok(entries)
}

/// `name` with every character replaced that is not alphanumeric and not `-`.
pub(crate) fn file_name(name: &str) -> String {
    name.chars().map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' }).collect()
}
