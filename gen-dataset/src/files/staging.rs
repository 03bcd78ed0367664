//! Staged writes: files get their final names only when all of them are complete.
//!
//! Every file is written under a temporary name in its final folder, synced to disk, and renamed at the end, in the
//! order of announcement. A crash at any time leaves the previous dataset as it was, or a complete new one with
//! temporary files beside it.

use crate::error::Error;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// The suffix of temporary names.
const TEMPORARY: &str = ".tmp";
/// The suffix of a folder that is being replaced.
const RETIRED: &str = ".old.tmp";

/// Files and folders that wait for their final names. Dropping it removes those that were not published.
#[derive(Debug)]
pub(crate) struct Staging {
    folder: PathBuf,
    waiting: Vec<PathBuf>,
}

impl Staging {
    /// A staging in `folder`, which must exist.
    pub(crate) fn new(folder: &Path) -> Staging {
        Staging { folder: folder.to_owned(), waiting: Vec::new() }
    }

    /// Announces the file `name` and opens it under its temporary name.
    pub(crate) fn create(&mut self, name: &str) -> Result<StagedFile, Error> {
        StagedFile::create(self.announce(name)?)
    }

    /// Announces the file `name` and writes `contents` to it.
    pub(crate) fn write(&mut self, name: &str, contents: &[u8]) -> Result<(), Error> {
        let mut file = self.create(name)?;
        file.write(contents)?;
        file.finish().map(drop)
    }

    /// A staging of the single file `path`, and the file, open under its temporary name.
    pub(crate) fn of_file(path: &Path) -> Result<(Staging, StagedFile), Error> {
        let name = path.file_name().and_then(|name| name.to_str());
        let name = name.ok_or_else(|| Error::Config(format!("`{}` is not a file name", path.display())))?;
        let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
        let mut staging = Staging::new(folder);
        let file = staging.create(name)?;
        Ok((staging, file))
    }

    /// Announces the folder `name`, creates it under its temporary name, and returns its path.
    pub(crate) fn create_folder(&mut self, name: &str) -> Result<PathBuf, Error> {
        let path = self.announce(name)?;
        fs::create_dir(&path).map_err(Error::io("create", &path))?;
        Ok(path)
    }

    /// Renames everything to its final name, in the order of announcement.
    pub(crate) fn publish(mut self) -> Result<(), Error> {
        for path in std::mem::take(&mut self.waiting) {
            let from = temporary(&path);
            let retired = with_suffix(&path, RETIRED);
            // `rename` cannot replace a folder that is not empty, so the old folder is moved aside first.
            let aside = path.is_dir() && from.is_dir();
            if aside {
                fs::rename(&path, &retired).map_err(Error::io("rename", &path))?;
            }
            fs::rename(&from, &path).map_err(Error::io("rename", &from))?;
            let parent = path.parent().unwrap_or(&self.folder);
            sync_folder(parent).map_err(Error::io("write", parent))?;
            if aside {
                fs::remove_dir_all(&retired).map_err(Error::io("remove", &retired))?;
            }
        }
        Ok(())
    }

    fn announce(&mut self, name: &str) -> Result<PathBuf, Error> {
        let path = self.folder.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(Error::io("create", parent))?;
        }
        let temporary = temporary(&path);
        self.waiting.push(path);
        Ok(temporary)
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        for path in &self.waiting {
            let path = temporary(path);
            // The next run removes what cannot be removed now.
            let _ = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        }
    }
}

/// A file under its temporary name.
#[derive(Debug)]
pub(crate) struct StagedFile {
    file: BufWriter<File>,
    path: PathBuf,
}

impl StagedFile {
    /// Opens the file at `path`, which must be announced or lie in an announced folder.
    pub(crate) fn create(path: PathBuf) -> Result<StagedFile, Error> {
        let file = File::create(&path).map_err(Error::io("create", &path))?;
        Ok(StagedFile { file: BufWriter::new(file), path })
    }

    /// Appends `contents`.
    pub(crate) fn write(&mut self, contents: &[u8]) -> Result<(), Error> {
        self.file.write_all(contents).map_err(Error::io("write", &self.path))
    }

    /// Syncs the file to disk and returns its temporary name.
    pub(crate) fn finish(mut self) -> Result<PathBuf, Error> {
        self.file.flush().and_then(|()| self.file.get_ref().sync_all()).map_err(Error::io("write", &self.path))?;
        Ok(self.path)
    }
}

impl Write for StagedFile {
    fn write(&mut self, contents: &[u8]) -> io::Result<usize> {
        self.file.write(contents)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Whether `path` has a temporary name, as files of an interrupted run have.
pub(crate) fn is_temporary(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().ends_with(TEMPORARY.as_bytes())
}

/// Removes temporary files of an interrupted run from `folder` and from its subfolders `inside`, except those in
/// `kept`.
pub(crate) fn remove_temporaries(folder: &Path, inside: &[&str], kept: &[&str]) -> Result<(), Error> {
    for folder in std::iter::once(folder.to_owned()).chain(inside.iter().map(|name| folder.join(name))) {
        if !folder.is_dir() {
            continue;
        }
        for entry in fs::read_dir(&folder).map_err(Error::io("read", &folder))? {
            let path = entry.map_err(Error::io("read", &folder))?.path();
            if is_temporary(&path) && !kept.iter().any(|kept| path.ends_with(kept)) {
                let removed = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
                removed.map_err(Error::io("remove", &path))?;
            }
        }
    }
    Ok(())
}

/// Writes the file `path` atomically: readers see the old contents or the new ones.
pub(crate) fn write_whole(path: &Path, contents: &[u8]) -> Result<(), Error> {
    // Terminals and pipes cannot be replaced by `rename`, so they are written in place.
    if fs::metadata(path).is_ok_and(|there| !there.is_file() && !there.is_dir()) {
        return fs::write(path, contents).map_err(Error::io("write", path));
    }
    let (staging, mut file) = Staging::of_file(path)?;
    file.write(contents)?;
    file.finish()?;
    staging.publish()
}

/// Writes a file and syncs it to disk. For files inside a folder that is itself staged.
pub(crate) fn write_through(path: &Path, contents: &[u8]) -> Result<(), Error> {
    File::create(path)
        .and_then(|mut file| file.write_all(contents).and_then(|()| file.sync_all()))
        .map_err(Error::io("write", path))
}

fn temporary(path: &Path) -> PathBuf {
    with_suffix(path, TEMPORARY)
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Syncs `folder`, so that a rename in it survives a crash. Does nothing where the system cannot sync folders.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn nothing_has_its_final_name_before_all_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        let mut staging = Staging::new(folder.path());
        staging.write("a", b"1").unwrap();
        let inside = staging.create_folder("b").unwrap();
        write_through(&inside.join("c"), b"2").unwrap();
        assert_eq!(names(folder.path()), ["a.tmp", "b.tmp"]);
        staging.publish().unwrap();
        assert_eq!(names(folder.path()), ["a", "b"]);
        assert_eq!(fs::read(folder.path().join("b/c")).unwrap(), b"2");
    }

    #[test]
    fn what_was_there_is_replaced_whole() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("b")).unwrap();
        fs::write(folder.path().join("b/old"), b"").unwrap();
        fs::write(folder.path().join("a"), b"old").unwrap();
        let mut staging = Staging::new(folder.path());
        staging.write("a", b"new").unwrap();
        staging.create_folder("b").unwrap();
        staging.publish().unwrap();
        assert_eq!(fs::read(folder.path().join("a")).unwrap(), b"new");
        assert!(names(&folder.path().join("b")).is_empty());
        assert_eq!(names(folder.path()), ["a", "b"]);
    }

    #[test]
    fn what_is_not_published_vanishes() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a"), b"old").unwrap();
        let mut staging = Staging::new(folder.path());
        staging.write("a", b"new").unwrap();
        staging.create_folder("b").unwrap();
        drop(staging);
        assert_eq!(names(folder.path()), ["a"]);
        assert_eq!(fs::read(folder.path().join("a")).unwrap(), b"old");
    }

    #[test]
    fn a_file_is_written_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        write_whole(&path, b"old").unwrap();
        // The temporary name is taken by a folder, so the write fails.
        fs::create_dir(folder.path().join("a.tmp")).unwrap();
        write_whole(&path, b"new").unwrap_err();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        write_whole(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(names(folder.path()), ["a"]);
    }

    #[test]
    fn what_is_no_file_is_written_to() {
        if cfg!(unix) {
            write_whole(Path::new("/dev/null"), b"new").unwrap();
            assert!(!fs::metadata("/dev/null").unwrap().is_file());
        }
    }

    #[test]
    fn leftovers_are_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("data/x.tmp")).unwrap();
        fs::write(folder.path().join("run.json.tmp"), b"").unwrap();
        fs::write(folder.path().join("run.json"), b"").unwrap();
        fs::write(folder.path().join("kept.tmp"), b"").unwrap();
        remove_temporaries(folder.path(), &["data", "absent"], &["kept.tmp"]).unwrap();
        assert_eq!(names(folder.path()), ["data", "kept.tmp", "run.json"]);
        assert!(names(&folder.path().join("data")).is_empty());
    }
}
