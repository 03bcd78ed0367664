//! Files on disk: atomic publication, locks, hashes, JSON.

mod digest;
mod folder;
mod json;
mod lock;
mod staging;

pub(crate) use digest::digest;
pub(crate) use folder::{entries, file_name};
pub(crate) use json::{line, pretty, read_json};
pub(crate) use lock::{LOCK, Lock, LockMode};
pub(crate) use staging::{
    StagedFile, Staging, is_temporary, remove_temporaries, sync_folder, write_through, write_whole,
};
