//! The number of threads, and the thread pool.

use crate::error::Error;
use std::num::NonZero;

/// The number of threads: `wanted`, or one for each core.
pub(crate) fn jobs(wanted: Option<u64>) -> usize {
    match wanted {
        Some(jobs) => jobs as usize,
        None => std::thread::available_parallelism().map_or(1, NonZero::get),
    }
}

/// A pool of `jobs` threads.
pub(crate) fn thread_pool(jobs: usize) -> Result<rayon::ThreadPool, Error> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(jobs)
        .build()
        .map_err(|error| Error::Config(format!("cannot start {jobs} threads: {error}; use fewer `--jobs`")))
}
