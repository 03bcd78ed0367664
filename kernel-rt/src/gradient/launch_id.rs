//! Names of launches on tapes.

use std::sync::atomic::{AtomicU64, Ordering};

/// A launch on a tape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LaunchId(u64);

impl LaunchId {
    /// The next id. Ids rise over all tapes, so that no tape takes a launch of another for its own.
    pub(crate) fn next() -> LaunchId {
        static NEXT: AtomicU64 = AtomicU64::new(0);

        LaunchId(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}
