//! Splits without leakage: near-duplicates, decontamination, and which split a record is in.

mod decontamination;
mod near_duplicates;
mod splitter;

pub(crate) use decontamination::Benchmarks;
pub(crate) use near_duplicates::{Dedup, MinHashIndex, Signature, key};
pub(crate) use splitter::Splitter;
