//! Launches of registered kernels on arguments as data.

use super::Device;
use crate::{KernelInfo, LaunchError};
use kernel_ir::data::Arg;

/// A kernel, or its adjoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// The kernel.
    Forward,
    /// Its adjoint. [`BackwardInfo::sources`](crate::BackwardInfo::sources) says what its arguments are.
    Backward,
}

impl Device {
    /// Runs a registered kernel or its adjoint on arguments as data: they go to the device and come back. This is for tools
    /// that take any kernel; programs call `launch`.
    ///
    /// # Errors
    /// The arguments do not fit, the kernel has no adjoint, or the launch fails.
    pub fn run(
        &self,
        kernel: &'static KernelInfo,
        pass: Pass,
        dim: &[usize],
        args: &mut [Arg],
    ) -> Result<(), LaunchError> {
        let _turn = self.queue();
        let backward = || kernel.backward.as_ref().ok_or(LaunchError::NoAdjoint { kernel: kernel.name });
        match (self.cuda_device(), pass) {
            (None, Pass::Forward) => (kernel.cpu)(dim, args),
            (None, Pass::Backward) => (backward()?.cpu)(dim, args),
            (Some(cuda), Pass::Forward) => cuda.run_on_data(kernel.name, kernel.ir, kernel.cuda_forward, dim, args),
            (Some(cuda), Pass::Backward) => cuda.run_on_data(kernel.name, backward()?.ir, backward()?.cuda, dim, args),
        }
    }
}
