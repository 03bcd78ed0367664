//! What ends a run early, and the exit status that says so.

use std::io;
use std::path::{Path, PathBuf};

/// The exit status of a dataset that failed its validation.
const INVALID: u8 = 1;
/// The exit status of arguments that cannot be served.
const CONFIG: u8 = 2;
/// The exit status of a failure that is not the fault of the arguments.
const INTERNAL: u8 = 70;
/// The exit status of work that is not complete, and that the same command goes on with.
const RETRY: u8 = 75;
/// The exit status of a run that the user ended, as shells report it.
pub(crate) const INTERRUPTED: u8 = 130;

/// Why the run ended early. The text is one line and says what to do.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// The arguments, or something that they name, cannot be used.
    #[error("{0}")]
    Config(String),
    /// The dataset is not what it should be.
    #[error("{0}")]
    Invalid(String),
    /// A file or folder could not be read or written.
    #[error("cannot {action} `{}`: {source}", path.display())]
    Io {
        /// What was tried: "write", "read" and so on.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Some of the work is left, and can be gone on with.
    #[error("{0}")]
    Retry(String),
    /// The user pressed Ctrl-C; how to go on.
    #[error("interrupted; {0}")]
    Interrupted(&'static str),
    /// A mistake in this program.
    #[error("internal error: {0}; please report it")]
    Internal(String),
}

impl Error {
    /// Turns what the system said about `path` into an error; for `map_err`.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::Io { action, path, source }
    }

    /// The exit status.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Error::Invalid(_) => INVALID,
            Error::Config(_) => CONFIG,
            Error::Io { source, .. } => match source.kind() {
                io::ErrorKind::NotFound
                | io::ErrorKind::PermissionDenied
                | io::ErrorKind::NotADirectory
                | io::ErrorKind::ReadOnlyFilesystem => CONFIG,
                _ => INTERNAL,
            },
            Error::Retry(_) => RETRY,
            Error::Interrupted(_) => INTERRUPTED,
            Error::Internal(_) => INTERNAL,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_cannot_be_used_is_a_wrong_argument_and_a_full_disk_is_not() {
        let error = |kind: io::ErrorKind| Error::io("write", Path::new("x"))(kind.into());
        assert_eq!(error(io::ErrorKind::PermissionDenied).exit_code(), 2);
        assert_eq!(error(io::ErrorKind::StorageFull).exit_code(), 70);
    }

    #[test]
    fn the_text_names_action_and_path() {
        let error = Error::io("create", Path::new("a/b"))(io::ErrorKind::PermissionDenied.into());
        assert_eq!(error.to_string(), "cannot create `a/b`: permission denied");
    }
}
