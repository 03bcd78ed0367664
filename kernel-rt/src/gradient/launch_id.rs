//! Ids of launches on tapes.

use std::sync::atomic::{AtomicU64, Ordering};

/// The id of a launch on a tape. Later launches have greater ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LaunchId(u64);

impl LaunchId {
    /// The next id. Ids are unique across all tapes, so a tape cannot mistake the launch of another for its own.
    pub(crate) fn next() -> LaunchId {
        static NEXT: AtomicU64 = AtomicU64::new(0);

        LaunchId(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}
