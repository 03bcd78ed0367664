//! A launch on an accelerator with its arguments. The addresses of its arrays are resolved only when it runs, because
//! copy-on-write moves arrays.

use super::arguments::{Launch, Passed};
use crate::array::Bits;
use crate::backend::{Accelerator, Buffer, Checks, KernelArg, KernelLaunch, Program};
use crate::device_array::{Handle, Writer};
use crate::error::{DeviceError, LaunchError};
use crate::registry::Pass;
use std::sync::Arc;

/// A launch with its arguments.
pub(crate) struct Call {
    pub(crate) program: Arc<Program>,
    pub(crate) dim: Vec<usize>,
    args: Vec<CallArg>,
}

enum CallArg {
    Value(Bits),
    Array { handle: Handle, writes: bool },
}

impl Call {
    /// `handles` are those of the array arguments, in order.
    pub(crate) fn new(launch: &Launch<'_>, handles: &[Handle]) -> Result<Call, LaunchError> {
        let mut handles = handles.iter();
        let args = launch.args.iter().map(|passed| match passed {
            Passed::Value { value, .. } => CallArg::Value(value.bits()),
            Passed::Array(access) => {
                let handle = handles.next().expect("there is a handle for each array");
                CallArg::Array { handle: handle.clone(), writes: access.writes }
            }
        });
        let args = args.collect();
        Ok(Call { program: Program::of(launch.kernel, Pass::Forward)?, dim: launch.dim.to_vec(), args })
    }

    /// Prepares the arrays that the launch writes: copies shared elements, and raises the version.
    pub(crate) fn write(&self) -> Result<(), DeviceError> {
        for arg in &self.args {
            if let CallArg::Array { handle, writes: true } = arg {
                handle.make_unique(Writer::Launch(self.program.name))?;
            }
        }
        Ok(())
    }

    /// The arrays that the launch writes.
    pub(crate) fn written(&self) -> impl Iterator<Item = &Handle> {
        self.args.iter().filter_map(|arg| match arg {
            CallArg::Array { handle, writes: true } => Some(handle),
            CallArg::Array { writes: false, .. } | CallArg::Value(_) => None,
        })
    }

    /// The current memory of the arrays, in order.
    pub(crate) fn buffers(&self) -> Vec<Arc<dyn Buffer>> {
        let arrays = self.args.iter().filter_map(|arg| match arg {
            CallArg::Array { handle, .. } => Some(handle.buffer()),
            CallArg::Value(_) => None,
        });
        arrays.collect()
    }

    /// The arguments, with the arrays in `buffers`.
    pub(crate) fn args<'a>(&'a self, buffers: &'a [Arc<dyn Buffer>]) -> Vec<KernelArg<'a>> {
        let mut buffers = buffers.iter();
        let args = self.args.iter().map(|arg| match arg {
            CallArg::Value(bits) => KernelArg::Value(bits),
            CallArg::Array { handle, .. } => {
                let buffer = buffers.next().expect("there is memory for each array");
                KernelArg::Array { buffer: &**buffer, shape: handle.shape() }
            }
        });
        args.collect()
    }

    /// The launch with these arguments.
    pub(crate) fn launch<'a>(&'a self, args: &'a [KernelArg<'a>]) -> KernelLaunch<'a> {
        KernelLaunch { program: &self.program, dim: &self.dim, args }
    }

    /// Runs the launch.
    pub(crate) fn run(&self, on: &dyn Accelerator, checks: Checks) -> Result<(), LaunchError> {
        self.write().map_err(|error| LaunchError::Device { kernel: self.program.name, error })?;
        self.launch(&self.args(&self.buffers())).run(on, checks)
    }
}
