//! Object stores: `s3://`, `gs://` and `az://`. Credentials come from the environment variables of each provider.

use crate::error::Error;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt, parse_url_opts};
use std::fmt;
use std::future::Future;
use std::io;
use std::sync::Arc;
use tokio::runtime::Runtime;
use url::Url;

/// A prefix in an object store.
#[derive(Clone)]
pub(crate) struct Remote {
    store: Arc<dyn ObjectStore>,
    prefix: Path,
    shown: String,
    runtime: Arc<Runtime>,
}

impl Remote {
    /// Opens the prefix that `url` names.
    pub(crate) fn open(url: &str) -> Result<Remote, Error> {
        let wrong = |why: String| Error::Config(format!("`{url}` cannot be used: {why}"));
        let parsed = Url::parse(url).map_err(|error| wrong(error.to_string()))?;
        let (store, prefix) = parse_url_opts(&parsed, std::env::vars()).map_err(|error| wrong(error.to_string()))?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| Error::Internal(error.to_string()))?;
        let shown = url.trim_end_matches('/').to_owned();
        Ok(Remote { store: store.into(), prefix, shown, runtime: Arc::new(runtime) })
    }

    /// The contents of the object `name`. `None` if it does not exist.
    pub(crate) fn read(&self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        let path = self.path(name);
        match self.wait(async { self.store.get(&path).await?.bytes().await }) {
            Ok(contents) => Ok(Some(contents.to_vec())),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(self.failure("read", name, error)),
        }
    }

    /// Writes the object `name`, and replaces an existing one.
    pub(crate) fn write(&self, name: &str, contents: &[u8]) -> Result<(), Error> {
        let path = self.path(name);
        let written = self.wait(self.store.put(&path, contents.to_vec().into()));
        written.map(drop).map_err(|error| self.failure("write", name, error))
    }

    fn path(&self, name: &str) -> Path {
        name.split('/').fold(self.prefix.clone(), |path, part| path.join(part))
    }

    fn wait<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.block_on(work)
    }

    fn failure(&self, action: &'static str, name: &str, error: object_store::Error) -> Error {
        let path = format!("{}/{name}", self.shown).into();
        Error::Io { action, path, source: io::Error::other(error) }
    }
}

impl fmt::Debug for Remote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Remote").field(&self.shown).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let remote = Remote::open("memory:///runs/one").unwrap();
        assert_eq!(remote.read("parts/00000.json").unwrap(), None);
        remote.write("parts/00000.json", b"1").unwrap();
        assert_eq!(remote.read("parts/00000.json").unwrap().as_deref(), Some(&b"1"[..]));
    }

    #[test]
    fn a_url_of_no_store_is_refused() {
        assert!(Remote::open("ftp://host/run").unwrap_err().to_string().contains("`ftp://host/run` cannot be used"));
    }
}
