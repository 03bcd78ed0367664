//! Splits without leakage: near-duplicates, decontamination, and which split a record is in.

pub(crate) mod decontamination;
pub(crate) mod near_duplicates;
pub(crate) mod splitter;
