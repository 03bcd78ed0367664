//! Advisory locks on folders and partitions, exclusive or shared.
//!
//! A process holds a lock by locking a file. The operating system releases the lock however the process ends, so a
//! stale lock file does not block.

use crate::error::Error;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// The name of the lock file in an output folder.
pub(crate) const LOCK: &str = ".lock";

/// Whether other processes may hold the lock at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LockMode {
    /// No other process may hold the lock.
    Exclusive,
    /// Other processes may hold the lock if they take it shared too.
    Shared,
}

/// A lock that is held until it is dropped. Dropping a shared lock leaves its file: another process may be about to
/// share it.
#[derive(Debug)]
pub(crate) struct Lock {
    path: PathBuf,
    file: File,
    mode: LockMode,
}

impl Lock {
    /// Locks the file `path`. Its folder must exist. `place` is the name of the locked thing in messages.
    ///
    /// # Errors
    /// `Error::Retry` if another process holds the lock.
    pub(crate) fn take(path: &Path, mode: LockMode, place: &str) -> Result<Lock, Error> {
        loop {
            let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
            let file = file.map_err(Error::io("create", path))?;
            let taken = match mode {
                LockMode::Exclusive => file.try_lock(),
                LockMode::Shared => file.try_lock_shared(),
            };
            match taken {
                // Between opening and locking, the previous holder may have removed the file. A lock on a removed file
                // keeps nobody out, so try again.
                Ok(()) if is_file_at(&file, path)? => return Ok(Lock { path: path.to_owned(), file, mode }),
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(Error::Retry(format!("another process is using {place}; wait until it ends")));
                }
                Err(TryLockError::Error(error)) => return Err(Error::io("lock", path)(error)),
            }
        }
    }

    /// Locks `folder`, and creates it if it does not exist.
    ///
    /// # Errors
    /// `Error::Retry` if another process writes to the folder.
    pub(crate) fn folder(folder: &Path, mode: LockMode) -> Result<Lock, Error> {
        fs::create_dir_all(folder).map_err(Error::io("create", folder))?;
        Lock::take(&folder.join(LOCK), mode, &format!("`{}`", folder.display()))
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // The file is removed while the lock is still held, so that no process locks a file that is about to vanish. A
        // failure is harmless, because a stale file does not block.
        if self.mode == LockMode::Exclusive && is_file_at(&self.file, &self.path).is_ok_and(|is| is) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Whether `file` is still the file at `path`. Always true where the system cannot tell.
fn is_file_at(file: &File, path: &Path) -> Result<bool, Error> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let there = match fs::metadata(path) {
            Ok(there) => there,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(Error::io("lock", path)(error)),
        };
        let here = file.metadata().map_err(Error::io("lock", path))?;
        Ok((here.dev(), here.ino()) == (there.dev(), there.ino()))
    }
    #[cfg(not(unix))]
    {
        let _ = (file, path);
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_works_alone_keeps_all_others_away() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new");
        let lock = Lock::folder(&path, LockMode::Exclusive).unwrap();
        for others in [LockMode::Exclusive, LockMode::Shared] {
            let error = Lock::folder(&path, others).unwrap_err();
            assert_eq!(error.to_string(), format!("another process is using `{}`; wait until it ends", path.display()));
            assert_eq!(error.exit_code(), 75);
        }
        drop(lock);
        assert_eq!(fs::read_dir(&path).unwrap().count(), 0, "nothing is left behind");
        Lock::folder(&path, LockMode::Exclusive).unwrap();
    }

    #[test]
    fn who_works_with_others_keeps_those_away_who_work_alone() {
        let folder = tempfile::tempdir().unwrap();
        let first = Lock::folder(folder.path(), LockMode::Shared).unwrap();
        let second = Lock::folder(folder.path(), LockMode::Shared).unwrap();
        drop(first);
        Lock::folder(folder.path(), LockMode::Exclusive).unwrap_err();
        drop(second);
        Lock::folder(folder.path(), LockMode::Exclusive).unwrap();
    }

    /// Regression: a process that came while another one left was refused.
    #[test]
    fn those_who_share_come_and_go_at_any_time() {
        let folder = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    (0..2000).for_each(|_| drop(Lock::folder(folder.path(), LockMode::Shared).unwrap()));
                });
            }
        });
        Lock::folder(folder.path(), LockMode::Exclusive).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "who works alone cleans up");
    }

    #[test]
    fn a_file_that_was_left_behind_keeps_nobody_away() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(LOCK), "").unwrap();
        Lock::folder(folder.path(), LockMode::Exclusive).unwrap();
    }
}
