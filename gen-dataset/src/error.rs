//! The error type of the tool. Each variant has its own exit status, which schedulers and scripts rely on.

use std::io;
use std::path::{Path, PathBuf};

/// The exit status if a dataset fails validation.
const INVALID: u8 = 1;
/// The exit status if the arguments, or files that they name, cannot be used.
const CONFIG: u8 = 2;
/// The exit status of a failure that is not the fault of the arguments.
const INTERNAL: u8 = 70;
/// The exit status if work is left that the same command continues. It is `EX_TEMPFAIL` of `sysexits.h`.
const RETRY: u8 = 75;
/// The exit status after Ctrl-C: 128 + SIGINT, as shells report it.
pub(crate) const INTERRUPTED: u8 = 130;

/// Why a run ended early. The message is one line and says what to do.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// The arguments, or something that they name, cannot be used.
    #[error("{0}")]
    Config(String),
    /// The dataset fails a check.
    #[error("{0}")]
    Invalid(String),
    /// A file or folder could not be read or written.
    #[error("cannot {action} `{}`: {source}", path.display())]
    Io {
        /// The attempted action: "write", "read" and so on.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// Work is left. The same command continues it.
    #[error("{0}")]
    Retry(String),
    /// The user pressed Ctrl-C. The text says how to continue.
    #[error("interrupted; {0}")]
    Interrupted(&'static str),
    /// A bug in this program.
    #[error("internal error: {0}; please report it")]
    Internal(String),
}

impl Error {
    /// Makes an error of an operating system error about `path`, for use in `map_err`.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::Io { action, path, source }
    }

    /// The exit status of the process.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Error::Invalid(_) => INVALID,
            Error::Config(_) => CONFIG,
            Error::Io { source, .. } => match source.kind() {
                io::ErrorKind::NotFound
                | io::ErrorKind::PermissionDenied
                | io::ErrorKind::NotADirectory
                | io::ErrorKind::IsADirectory
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
