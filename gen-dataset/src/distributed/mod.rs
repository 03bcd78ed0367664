//! A planned run, made in partitions by any number of workers.

pub(crate) mod context;
pub(crate) mod journal;
pub(crate) mod partition_map;
pub(crate) mod plan;
#[cfg(feature = "object-store")]
mod remote;
pub(crate) mod store;
pub(crate) mod worker;
