//! Reads and writes JSON files.

use crate::error::Error;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::io;
use std::path::Path;

/// `value` as indented JSON that ends with a newline.
pub(crate) fn pretty(value: &impl Serialize) -> Result<Vec<u8>, Error> {
    let mut text = serde_json::to_vec_pretty(value).map_err(|error| Error::Internal(error.to_string()))?;
    text.push(b'\n');
    Ok(text)
}

/// `value` as one line of JSON that ends with a newline.
pub(crate) fn line(value: &impl Serialize) -> Result<Vec<u8>, Error> {
    let mut text = serde_json::to_vec(value).map_err(|error| Error::Internal(error.to_string()))?;
    text.push(b'\n');
    Ok(text)
}

/// Reads a JSON file. `None` if it does not exist.
pub(crate) fn read_json<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, Error> {
    match fs::read(path) {
        Ok(text) => match serde_json::from_slice(&text) {
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(Error::Config(format!("`{}` was not written by this program: {error}", path.display()))),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::io("read", path)(error)),
    }
}
