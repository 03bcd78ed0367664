//! Adjoints of arrays and values, and what turns those after a launch into those before it.

pub(crate) mod adjoints;
pub(crate) mod elementwise;
mod launch_id;
mod pullback;
pub(crate) mod winners;

pub use launch_id::LaunchId;
pub use pullback::Pullback;
