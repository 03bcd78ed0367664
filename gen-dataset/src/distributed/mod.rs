//! A planned run, executed in partitions by any number of workers.
//!
//! The bytes of a partition follow from the plan alone. So workers may be killed, repeated or added at any time, and
//! two workers that make the same partition write the same files.

mod context;
mod journal;
mod partition_map;
mod plan;
#[cfg(feature = "object-store")]
mod remote;
mod store;
mod worker;

pub(crate) use context::{PartitionStatus, RunContext};
pub(crate) use journal::{Journal, JournalState, is_begun, lock, read_records, record, reject, state_name};
pub(crate) use plan::{Marker, PlannedRun, Progress};
pub(crate) use store::Store;
pub(crate) use worker::Worker;
