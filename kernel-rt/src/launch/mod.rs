//! Launches: their size, what is checked before they run, and how an accelerator gets their arguments.

pub(crate) mod arguments;
pub(crate) mod call;
pub(crate) mod data;
mod dim;
pub(crate) mod launcher;

pub use dim::LaunchDim;
pub use launcher::{Launcher, Replay};
