//! Files on disk: staged writes, locks, hashes, JSON.

pub(crate) mod digest;
pub(crate) mod folder;
pub(crate) mod json;
pub(crate) mod lock;
pub(crate) mod staging;
