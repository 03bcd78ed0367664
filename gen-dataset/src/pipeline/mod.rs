//! From the specification of a dataset to its records, one after the other.

pub(crate) mod generator;
pub(crate) mod spec;
pub(crate) mod threads;
