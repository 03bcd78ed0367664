//! Adjoints of arrays and values, and what turns those after a launch into those before it.

pub(crate) mod adjoints;
pub(crate) mod elementwise;
mod launch_id;
mod pullback;

pub use launch_id::LaunchId;
pub use pullback::Pullback;
