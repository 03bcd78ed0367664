//! A launch with its arguments, apart from where its arrays lie at the moment.

use super::kernel::{Function, KernelArg, RunError};
use super::{Buffer, Cuda};
use crate::array::Bits;
use crate::device::{Checks, Handle, Writer};
use crate::launch::launcher::{Launch, Passed};
use crate::{DeviceError, LaunchError};
use std::sync::Arc;

/// A launch.
pub(super) struct Call {
    kernel: &'static str,
    pub(super) function: Arc<Function>,
    pub(super) dim: Vec<usize>,
    args: Vec<Arg>,
}

enum Arg {
    Value(Bits),
    Array { handle: Handle, writes: bool },
}

impl Call {
    /// `handles` are those of the array arguments, in their order.
    pub(super) fn new(cuda: &Cuda, launch: &Launch<'_>, handles: &[Handle]) -> Call {
        let mut handles = handles.iter();
        let args = launch.args.iter().map(|passed| match passed {
            Passed::Value { value, .. } => Arg::Value(value.bits()),
            Passed::Array(access) => {
                let handle = handles.next().expect("there is a handle for each array");
                Arg::Array { handle: handle.clone(), writes: access.writes }
            }
        });
        Call {
            kernel: launch.kernel.name,
            args: args.collect(),
            function: cuda.function(launch.kernel.ir, launch.kernel.cuda_forward),
            dim: launch.dim.to_vec(),
        }
    }

    /// Makes what the launch writes the array's alone, and counts it as written.
    pub(super) fn write(&self) -> Result<(), DeviceError> {
        for arg in &self.args {
            if let Arg::Array { handle, writes: true } = arg {
                handle.make_unique(Writer::Launch(self.kernel))?;
            }
        }
        Ok(())
    }

    /// The memory of the arrays, in their order.
    pub(super) fn buffers(&self) -> Vec<Arc<Buffer>> {
        let arrays = self.args.iter().filter_map(|arg| match arg {
            Arg::Array { handle, .. } => Some(handle.buffer()),
            Arg::Value(_) => None,
        });
        arrays.collect()
    }

    /// The arguments, with the arrays in this memory.
    pub(super) fn args<'a>(&'a self, buffers: &'a [Arc<Buffer>]) -> Vec<KernelArg<'a>> {
        let mut buffers = buffers.iter();
        let args = self.args.iter().map(|arg| match arg {
            Arg::Value(bits) => KernelArg::Value(bits.clone()),
            Arg::Array { handle, .. } => {
                let buffer = buffers.next().expect("there is memory for each array");
                KernelArg::Array { buffer, shape: handle.shape() }
            }
        });
        args.collect()
    }
}

impl Cuda {
    /// Runs a launch. `handles` are those of its array arguments.
    pub(crate) fn launch(
        self: &Arc<Self>,
        launch: &Launch<'_>,
        handles: &[Handle],
        checks: Checks,
    ) -> Result<(), LaunchError> {
        let call = Call::new(self, launch, handles);
        let run = || {
            call.write()?;
            self.run(&call.function, &call.dim, &call.args(&call.buffers()), checks)
        };
        run().map_err(|error: RunError| error.of(launch.kernel.name))
    }
}
