//! What a kernel's user calls.

mod registry;

pub use registry::{KernelInfo, registered_kernels};

/// Why a launch was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("the launch of `{kernel}` was refused")]
pub struct LaunchError {
    /// The kernel.
    pub kernel: &'static str,
}
