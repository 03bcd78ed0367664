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
        match (self.cuda_device(), pass) {
            (Some(cuda), _) => cuda.run_on_data(kernel, pass, dim, args, self.checks()),
            (None, Pass::Forward) => (kernel.cpu)(dim, args),
            (None, Pass::Backward) => (kernel.adjoint()?.cpu)(dim, args),
        }
    }
}
