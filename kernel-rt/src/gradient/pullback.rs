//! The step of a backward pass at one launch.

use super::adjoints::Adjoints;
use super::launch_id::LaunchId;
use crate::error::LaunchError;

/// The step of a backward pass at one launch.
pub enum Pullback {
    /// An error: the kernel is marked `no_grad`.
    Refused,
    /// No change: no float that the kernel writes depends on another, and no float is overwritten.
    Identity,
    /// Turns the adjoints after the launch into the adjoints before it.
    Run(Box<PullbackFn>),
}

type PullbackFn = dyn Fn(LaunchId, &mut Adjoints) -> Result<(), LaunchError> + Send;

impl Pullback {
    /// A pullback that runs the adjoint of the kernel.
    pub fn run(adjoint: impl Fn(LaunchId, &mut Adjoints) -> Result<(), LaunchError> + Send + 'static) -> Pullback {
        Pullback::Run(Box::new(adjoint))
    }
}
