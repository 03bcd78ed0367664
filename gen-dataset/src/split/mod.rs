//! Deduplication, decontamination, and splits without leakage.

mod decontamination;
mod near_duplicates;
mod splitter;

pub(crate) use decontamination::Benchmarks;
pub(crate) use near_duplicates::{Dedup, MinHashIndex, Signature, key};
pub(crate) use splitter::Splitter;
