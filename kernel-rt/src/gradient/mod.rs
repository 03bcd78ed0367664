//! Adjoints of arrays and values, and the pullbacks that propagate them through a launch.

pub(crate) mod adjoints;
pub(crate) mod elementwise;
mod launch_id;
mod pullback;
pub(crate) mod winners;

pub use launch_id::LaunchId;
pub use pullback::Pullback;
