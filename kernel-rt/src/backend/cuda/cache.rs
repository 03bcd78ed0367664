//! The disk cache of compiled kernels.
//!
//! The name of an entry is the hash of everything that affects the compilation. An entry is written to a temporary file
//! and renamed, so concurrent processes may write the same one. The contents follow their own hash, so a damaged entry
//! is detected and compiled again.

use std::io::Write;
use std::path::{Path, PathBuf};

/// A folder of compiled kernels. Without a folder, nothing is cached.
pub(super) struct Cache {
    folder: Option<PathBuf>,
}

impl Cache {
    /// The folder in `WEFT_CACHE`, or `weft` in the user's cache folder. An empty `WEFT_CACHE` disables the cache.
    pub(super) fn of_user() -> Cache {
        let variable = |name| std::env::var_os(name).map(PathBuf::from);
        let filled = |path: &PathBuf| !path.as_os_str().is_empty();
        let folder = match variable("WEFT_CACHE") {
            Some(folder) => Some(folder).filter(filled),
            None => variable("XDG_CACHE_HOME")
                .filter(filled)
                .or_else(|| variable("HOME").filter(filled).map(|home| home.join(".cache")))
                .map(|caches| caches.join("weft")),
        };
        Cache { folder }
    }

    #[cfg(test)]
    fn in_folder(folder: PathBuf) -> Cache {
        Cache { folder: Some(folder) }
    }

    /// The entry for `key`; on a miss, the result of `make`, which is then stored. A cache that cannot be written costs
    /// time but does not fail the call.
    pub(super) fn get_or<E>(&self, key: &[&str], make: impl FnOnce() -> Result<Vec<u8>, E>) -> Result<Vec<u8>, E> {
        let path = self.path(key);
        if let Some(stored) = path.as_ref().and_then(|path| contents(&std::fs::read(path).ok()?)) {
            return Ok(stored);
        }
        let made = make()?;
        if let Some(path) = path {
            let _ = store(&path, &made);
        }
        Ok(made)
    }

    fn path(&self, key: &[&str]) -> Option<PathBuf> {
        let mut hasher = blake3::Hasher::new();
        for part in key {
            // The length separates the parts: ("ab", "c") differs from ("a", "bc").
            hasher.update(&(part.len() as u64).to_le_bytes()).update(part.as_bytes());
        }
        Some(self.folder.as_ref()?.join(format!("{}.cubin", hasher.finalize().to_hex())))
    }
}

/// The contents of an entry, if its hash is right.
fn contents(entry: &[u8]) -> Option<Vec<u8>> {
    let (hash, contents) = entry.split_first_chunk::<{ blake3::OUT_LEN }>()?;
    (blake3::hash(contents).as_bytes() == hash).then(|| contents.to_vec())
}

fn store(path: &Path, contents: &[u8]) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or_else(|| Path::new("."));
    std::fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(blake3::hash(contents).as_bytes())?;
    file.write_all(contents)?;
    file.persist(path).map(drop).map_err(|error| error.error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::convert::Infallible;

    /// Looks `key` up, and says whether it was made anew.
    fn look_up(cache: &Cache, key: &[&str]) -> (Vec<u8>, bool) {
        let made = Cell::new(false);
        let result = cache.get_or(key, || {
            made.set(true);
            Ok::<_, Infallible>(key.concat().into_bytes())
        });
        let Ok(found) = result;
        (found, made.get())
    }

    #[test]
    fn an_entry_is_made_once() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::in_folder(folder.path().join("new"));
        assert_eq!(look_up(&cache, &["ab", "c"]), (b"abc".to_vec(), true));
        assert_eq!(look_up(&cache, &["ab", "c"]), (b"abc".to_vec(), false));
        assert_eq!(look_up(&cache, &["a", "bc"]), (b"abc".to_vec(), true));
    }

    #[test]
    fn a_damaged_entry_is_made_again() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::in_folder(folder.path().to_owned());
        look_up(&cache, &["key"]);
        let path = cache.path(&["key"]).unwrap();
        let whole = std::fs::read(&path).unwrap();
        let mut changed = whole.clone();
        *changed.last_mut().unwrap() ^= 1;
        for damaged in [&changed[..], &whole[..whole.len() - 1], &whole[..5], &[]] {
            std::fs::write(&path, damaged).unwrap();
            assert_eq!(look_up(&cache, &["key"]), (b"key".to_vec(), true));
            assert_eq!(look_up(&cache, &["key"]), (b"key".to_vec(), false));
        }
    }

    #[test]
    fn a_folder_that_cannot_be_written_costs_only_time() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let cache = Cache::in_folder(file.path().join("below a file"));
        assert_eq!(look_up(&cache, &["key"]), (b"key".to_vec(), true));
        assert_eq!(look_up(&cache, &["key"]), (b"key".to_vec(), true));
    }

    #[test]
    fn writers_at_once_leave_a_whole_entry() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::in_folder(folder.path().to_owned());
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| assert_eq!(look_up(&cache, &["key"]).0, b"key"));
            }
        });
        assert_eq!(look_up(&cache, &["key"]), (b"key".to_vec(), false));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
