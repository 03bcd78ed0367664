//! NVIDIA GPUs, through `cudarc`.
//!
//! - **Nothing is linked.** The driver and NVRTC are loaded when a device is opened; what is missing is an error that says so.
//! - **Streams order themselves.** What is asked of one stream happens in the order of the calls; only a copy to the host waits.
//!   Memory belongs to the stream that made it. Where another one uses it, each waits for the other ([`Cuda::among`](stream::Cuda::among)).
//! - **Data-driven.** A launch is the kernel's text, its IR and its arguments; no code is made for a kernel but what NVRTC
//!   makes of its text. How the arguments lie is [`kernel_ir::ir::Kernel::abi`], which the writer of the text follows too.
//! - **Compiled once.** A text becomes machine code for this device's architecture at its first launch, and stays in a cache
//!   on disk.
//! - **Two widths.** While every array, extent and index of a launch is below 2³¹ the text runs as it is written; a larger
//!   launch runs a variant whose indices have 64 bits.
//! - **Products and sums are not contracted** (`--fmad=false`): a kernel of exact operations gives the CPU's bits.

mod buffer;
mod cache;
mod compile;
mod error;
mod function;
mod graph;
mod launch;
mod stream;
mod timer;

use super::accelerator::{Accelerator, Buffer, Checks, DeviceId, Graph, KernelLaunch, Timer};
use crate::error::{DeviceError, LaunchError};
use std::sync::{Arc, Mutex};
use stream::Cuda;

/// The first stream of the device of that number, opened at the first call.
pub(super) fn open(ordinal: usize) -> Result<Arc<dyn Accelerator>, DeviceError> {
    Ok(Arc::new(Cuda::open(ordinal)?))
}

impl Accelerator for Arc<Cuda> {
    fn id(&self) -> DeviceId {
        DeviceId { backend: error::BACKEND, ordinal: self.ordinal }
    }

    fn name(&self) -> String {
        format!("{} ({})", self.name, self.arch)
    }

    fn queue(&self) -> &Mutex<()> {
        &self.queue
    }

    fn stream(&self) -> Result<Arc<dyn Accelerator>, DeviceError> {
        Ok(Arc::new(Arc::new(self.another()?)))
    }

    fn synchronize(&self) -> Result<(), DeviceError> {
        Cuda::synchronize(self)
    }

    fn buffer_from(&self, bytes: &[u8]) -> Result<Arc<dyn Buffer>, DeviceError> {
        let buffer = buffer::Buffer::unset(self, bytes.len())?;
        buffer.upload(bytes)?;
        Ok(Arc::new(buffer))
    }

    fn zeros(&self, len: usize) -> Result<Arc<dyn Buffer>, DeviceError> {
        Ok(Arc::new(buffer::Buffer::zeros(self, len)?))
    }

    fn launch(&self, launch: &KernelLaunch<'_>, checks: Checks) -> Result<(), LaunchError> {
        launch::launch(self, launch, checks)
    }

    fn graph(&self) -> Box<dyn Graph> {
        Box::new(graph::Graph::new(self))
    }

    fn timer(&self) -> Result<Box<dyn Timer>, DeviceError> {
        Ok(Box::new(timer::Timer::start(self)?))
    }
}
