//! What a backward pass does at a launch.

use super::adjoints::Adjoints;
use super::launch_id::LaunchId;
use crate::error::LaunchError;

/// What a backward pass does at a launch.
pub enum Pullback {
    /// The kernel is marked `no_grad`.
    Refused,
    /// Nothing: no float that the kernel writes depends on another, and none is overwritten.
    Identity,
    /// Turns the adjoints after the launch into those before it.
    Run(Box<PullbackFn>),
}

type PullbackFn = dyn Fn(LaunchId, &mut Adjoints) -> Result<(), LaunchError> + Send;

impl Pullback {
    /// Runs the adjoint of the kernel.
    pub fn run(adjoint: impl Fn(LaunchId, &mut Adjoints) -> Result<(), LaunchError> + Send + 'static) -> Pullback {
        Pullback::Run(Box::new(adjoint))
    }
}
