//! The CPU backend: launches on Rust arrays, in thread order or on all cores.

pub(crate) mod args;
mod fault;
pub(crate) mod run;
pub(crate) mod view;

mod timer;

pub(crate) use timer::timer;
