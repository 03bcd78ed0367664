//! The store of a run: a folder, or a prefix in an object store.
//!
//! Writes are atomic in both: a reader sees all contents of a name, or none.

use crate::error::Error;
use crate::files::sync_folder;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A place that holds files by name.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    place: Place,
    /// The place as the user wrote it.
    shown: String,
}

#[derive(Clone, Debug)]
enum Place {
    Folder(PathBuf),
    #[cfg(feature = "object-store")]
    Remote(super::remote::Remote),
}

impl Store {
    /// Opens the store that `url` names: a path, `file://`, or, with the feature `object-store`, `s3://`, `gs://` and
    /// `az://`.
    pub(crate) fn open(url: &str) -> Result<Store, Error> {
        let place = match url.split_once("://") {
            None => Place::Folder(url.into()),
            Some(("file", path)) if path.starts_with('/') => Place::Folder(path.into()),
            Some(("file", _)) => {
                return Err(Error::Config(format!("`{url}` names a host; write `file:///` and an absolute path")));
            }
            #[cfg(feature = "object-store")]
            Some(_) => Place::Remote(super::remote::Remote::open(url)?),
            #[cfg(not(feature = "object-store"))]
            Some((scheme, _)) => {
                return Err(Error::Config(format!(
                    "this program was built without `{scheme}://`; build it with `--features object-store`"
                )));
            }
        };
        Ok(Store { place, shown: url.trim_end_matches('/').to_owned() })
    }

    /// The store in a local folder.
    pub(crate) fn folder(path: &Path) -> Store {
        Store { place: Place::Folder(path.to_owned()), shown: path.display().to_string() }
    }

    /// The local folder, if the store is one.
    pub(crate) fn local(&self) -> Option<&Path> {
        match &self.place {
            Place::Folder(folder) => Some(folder),
            #[cfg(feature = "object-store")]
            Place::Remote(_) => None,
        }
    }

    /// The full name of the file `name`, for messages.
    pub(crate) fn show(&self, name: &str) -> String {
        format!("{}/{name}", self.shown)
    }

    /// The contents of the file `name`. `None` if it does not exist.
    pub(crate) fn read(&self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        match &self.place {
            Place::Folder(folder) => {
                let path = folder.join(name);
                match fs::read(&path) {
                    Ok(contents) => Ok(Some(contents)),
                    Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
                    Err(error) => Err(Error::io("read", &path)(error)),
                }
            }
            #[cfg(feature = "object-store")]
            Place::Remote(remote) => remote.read(name),
        }
    }

    /// Writes the file `name`, and replaces an existing one.
    pub(crate) fn write(&self, name: &str, contents: &[u8]) -> Result<(), Error> {
        match &self.place {
            Place::Folder(folder) => {
                let path = folder.join(name);
                let parent = path.parent().unwrap_or(folder);
                fs::create_dir_all(parent).map_err(Error::io("create", parent))?;
                // Two workers may write the same file, so each uses a hidden temporary name of its own. A process that
                // is killed here leaves that file behind; nothing reads it.
                let mut temporary = tempfile::Builder::new();
                temporary.prefix(".").suffix(".tmp");
                // `tempfile` makes files that only their owner can read, and other users may work on the same run.
                #[cfg(unix)]
                temporary.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
                let written = temporary.tempfile_in(parent).and_then(|mut file| {
                    file.write_all(contents)?;
                    file.as_file().sync_all()?;
                    file.persist(&path)?;
                    sync_folder(parent)
                });
                written.map_err(Error::io("write", &path))
            }
            #[cfg(feature = "object-store")]
            Place::Remote(remote) => remote.write(name, contents),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("file://{}", folder.path().join("new").display());
        let store = Store::open(&url).unwrap();
        assert_eq!(store.read("a/b").unwrap(), None);
        store.write("a/b", b"1").unwrap();
        store.write("a/b", b"2").unwrap();
        assert_eq!(store.read("a/b").unwrap().as_deref(), Some(&b"2"[..]));
        assert_eq!(fs::read_dir(folder.path().join("new/a")).unwrap().count(), 1);
    }

    #[test]
    fn urls_that_cannot_be_served_are_refused() {
        assert!(Store::open("file://host/path").unwrap_err().to_string().contains("file:///"));
        #[cfg(not(feature = "object-store"))]
        assert!(Store::open("s3://bucket/path").unwrap_err().to_string().contains("--features object-store"));
    }
}
