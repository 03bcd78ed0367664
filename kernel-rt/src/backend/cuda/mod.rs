//! The CUDA backend, for NVIDIA GPUs, through `cudarc`.
//!
//! - **Dynamic loading.** The driver and NVRTC are loaded when a device is opened. A missing library is an error with a
//!   suggestion.
//! - **Streams.** Work on one stream executes in the order of the calls, and only a copy to the host waits. Memory
//!   belongs to the stream that allocated it. If another stream uses it, each stream waits for the other
//!   ([`Cuda::among`](stream::Cuda::among)).
//! - **Data-driven launches.** A launch consists of the kernel's text, its IR and its arguments. There is no generated
//!   host code. The layout of the arguments is [`kernel_ir::ir::Kernel::abi`], which the writer of the text follows
//!   too.
//! - **Compilation.** NVRTC compiles a text for the architecture of the device at its first launch. The machine code is
//!   cached on disk.
//! - **Index widths.** If every array, extent and index of a launch is below 2³¹, the text runs as written. A larger
//!   launch runs a variant with 64-bit indices.
//! - **No contraction of products and sums** (`--fmad=false`): a kernel of exact operations computes the same bits as
//!   on the CPU.

mod buffer;
mod cache;
mod compile;
mod download;
mod error;
mod function;
mod graph;
mod launch;
mod stream;
mod timer;

use super::accelerator::{Accelerator, Buffer, Checks, DeviceId, Graph, KernelLaunch, Timer};
use super::program::Program;
use crate::error::{DeviceError, LaunchError};
use std::sync::{Arc, Mutex};
use stream::Cuda;

/// The first stream of the device with this ordinal. Later calls return the same stream.
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

    #[cfg(feature = "dlpack")]
    unsafe fn foreign(
        &self,
        address: u64,
        len: usize,
        owner: Box<dyn Send + Sync>,
        is_read_only: bool,
    ) -> Result<Arc<dyn Buffer>, DeviceError> {
        // SAFETY: the caller's promise.
        let buffer = unsafe { buffer::Buffer::foreign(self, address, len, owner, is_read_only) };
        Ok(Arc::new(buffer?))
    }

    fn launch(&self, launch: &KernelLaunch<'_>, checks: Checks) -> Result<(), LaunchError> {
        launch::launch(self, launch, checks)
    }

    fn forget(&self, program: &Program) {
        self.functions.forget(program);
    }

    fn graph(&self) -> Box<dyn Graph> {
        Box::new(graph::Graph::new(self))
    }

    fn timer(&self) -> Result<Box<dyn Timer>, DeviceError> {
        Ok(Box::new(timer::Timer::start(self)?))
    }
}
