//! Launches: their size, the checks before they run, and their arguments on an accelerator.

pub(crate) mod arguments;
pub(crate) mod call;
pub(crate) mod data;
mod dim;
pub(crate) mod launcher;
pub(crate) mod promises;
pub(crate) mod tiles;

pub use data::LoadedText;
pub use dim::LaunchDim;
pub use launcher::{Launcher, Replay};
