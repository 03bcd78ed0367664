//! BLAKE3 hashes of files and folders.

use crate::error::Error;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// The BLAKE3 hash of a file, or of the names and contents of all files in a folder.
///
/// Names and contents are hashed with their lengths, so that no two folders give the same input of the hash.
pub(crate) fn digest(path: &Path) -> Result<String, Error> {
    let mut files = Vec::new();
    collect(path, &mut files)?;
    files.sort();
    let mut hasher = blake3::Hasher::new();
    for file in files {
        let name = file.strip_prefix(path).unwrap_or(&file).as_os_str().as_encoded_bytes();
        hasher.update(&(name.len() as u64).to_le_bytes()).update(name);
        let contents = File::open(&file).map_err(Error::io("read", &file))?;
        let bytes = contents.metadata().map_err(Error::io("read", &file))?.len();
        hasher.update(&bytes.to_le_bytes()).update_reader(contents).map_err(Error::io("read", &file))?;
    }
    Ok(hasher.finalize().to_hex().to_string())
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), Error> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    for entry in fs::read_dir(path).map_err(Error::io("read", path))? {
        collect(&entry.map_err(Error::io("read", path))?.path(), files)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_contents_count() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("a")).unwrap();
        fs::write(folder.path().join("a/b"), "1").unwrap();
        let first = digest(folder.path()).unwrap();
        assert_eq!(first, digest(folder.path()).unwrap());
        fs::write(folder.path().join("a/b"), "2").unwrap();
        let second = digest(folder.path()).unwrap();
        fs::rename(folder.path().join("a/b"), folder.path().join("a/c")).unwrap();
        let third = digest(folder.path()).unwrap();
        assert!(first != second && second != third);
    }
}
