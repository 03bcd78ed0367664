//! The host's processor: launches on Rust arrays, in the order of the threads or on all cores.

pub(crate) mod args;
mod fault;
pub(crate) mod run;
pub(crate) mod view;

mod timer;

pub(crate) use timer::timer;
