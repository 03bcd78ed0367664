//! The backend for any GPU, through `wgpu`: Vulkan, Metal and Direct3D 12.
//!
//! - **Texts.** The backend writes the WGSL of a kernel when it is first launched on a device.
//! - **Exact arithmetic.** On Vulkan the text is compiled to SPIR-V here, by `naga`, with a decoration that keeps the driver
//!   from reordering floats (`exact.rs`). Other drivers get WGSL, and may round otherwise.
//! - **One queue.** Work executes in the order of the calls, and all streams of a device are one.
//! - **Indices** have 32 bits: a launch has fewer than 2³² threads, and an array fits one binding.
//! - **Bounds.** Every index is restricted to the bounds of its array, as `wgpu` requires. Bounds-checked launches run a text
//!   that records the first fault.

mod buffer;
mod compile;
mod error;
mod exact;
mod gpu;
mod graph;
mod launch;
mod pipeline;
mod timer;
mod translate;

use super::accelerator::{Accelerator, Buffer, Checks, DeviceId, Graph, KernelLaunch, Timer};
use super::program::Program;
use crate::error::{BEST, DeviceError, LaunchError};
use gpu::Gpu;
use std::sync::{Arc, Mutex};
pub use translate::{ShaderLanguage, translate_wgsl};

/// The device with this ordinal; [`BEST`] for the one of the best adapter. Later calls return the same device.
pub(super) fn open(ordinal: usize) -> Result<Arc<dyn Accelerator>, DeviceError> {
    let ordinal = Some(ordinal).filter(|ordinal| *ordinal != BEST);
    Ok(Arc::new(Gpu::open(ordinal)?))
}

impl Accelerator for Arc<Gpu> {
    fn id(&self) -> DeviceId {
        DeviceId { backend: error::BACKEND, ordinal: self.ordinal }
    }

    fn name(&self) -> String {
        self.name.clone()
    }

    fn queue(&self) -> &Mutex<()> {
        &self.turn
    }

    fn stream(&self) -> Result<Arc<dyn Accelerator>, DeviceError> {
        Ok(Arc::new(Arc::clone(self)))
    }

    fn synchronize(&self) -> Result<(), DeviceError> {
        self.wait()
    }

    fn buffer_from(&self, bytes: &[u8]) -> Result<Arc<dyn Buffer>, DeviceError> {
        let buffer = buffer::Buffer::zeros(self, bytes.len())?;
        buffer.upload(bytes)?;
        Ok(Arc::new(buffer))
    }

    fn zeros(&self, len: usize) -> Result<Arc<dyn Buffer>, DeviceError> {
        Ok(Arc::new(buffer::Buffer::zeros(self, len)?))
    }

    #[cfg(feature = "dlpack")]
    unsafe fn foreign(
        &self,
        _address: u64,
        _len: usize,
        _owner: Box<dyn Send + Sync>,
        _is_read_only: bool,
    ) -> Result<Arc<dyn Buffer>, DeviceError> {
        let message = "memory of another library cannot be used; copy it with `Device::array_from`".to_owned();
        Err(DeviceError::Driver { backend: error::BACKEND, call: "foreign", message })
    }

    fn launch(&self, launch: &KernelLaunch<'_>, checks: Checks) -> Result<(), LaunchError> {
        launch::launch(self, launch, checks)
    }

    fn forget(&self, program: &Program) {
        self.pipelines.forget(program);
    }

    fn graph(&self) -> Box<dyn Graph> {
        Box::new(graph::Graph::new(self))
    }

    fn timer(&self) -> Result<Box<dyn Timer>, DeviceError> {
        Ok(Box::new(timer::Timer::start(self)?))
    }
}
