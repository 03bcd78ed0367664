//! From the specification of a dataset to its records, in order.

mod generator;
mod spec;
mod threads;

pub(crate) use generator::{Generator, Position, Share};
pub(crate) use spec::DatasetSpec;
pub(crate) use threads::{jobs, thread_pool};
