//! Compute pipelines, and those that a device has run.

use crate::backend::accelerator::Checks;
use crate::backend::program::Program;
use crate::error::DeviceError;
use kernel_ir::back::wgsl::Arguments;
use kernel_ir::ir::ParamId;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The pipelines that a device has run, by the addresses of their programs and whether they are checked.
#[derive(Default)]
pub(super) struct Pipelines(Mutex<HashMap<(usize, bool), Arc<Pipeline>>>);

/// A compiled kernel.
pub(super) struct Pipeline {
    pub(super) arguments: Arguments,
    pub(super) compute: wgpu::ComputePipeline,
    pub(super) layout: wgpu::BindGroupLayout,
    /// Whether a thread does the work of several if the dispatch has fewer than the launch.
    pub(super) strides: bool,
}

impl Pipelines {
    /// The pipeline of a program, which `compile` makes at its first launch.
    pub(super) fn get(
        &self,
        program: &Program,
        checks: Checks,
        compile: impl FnOnce() -> Result<Pipeline, DeviceError>,
    ) -> Result<Arc<Pipeline>, DeviceError> {
        let key = (std::ptr::from_ref(program).addr(), checks == Checks::On);
        let known = self.locked().get(&key).map(Arc::clone);
        if let Some(pipeline) = known {
            return Ok(pipeline);
        }
        // Other threads go on. If two compile one program, the later result replaces the earlier one.
        let pipeline = Arc::new(compile()?);
        self.locked().insert(key, Arc::clone(&pipeline));
        Ok(pipeline)
    }

    /// Forgets a program.
    pub(super) fn forget(&self, program: &Program) {
        let address = std::ptr::from_ref(program).addr();
        self.locked().retain(|(known, _), _| *known != address);
    }

    fn locked(&self) -> MutexGuard<'_, HashMap<(usize, bool), Arc<Pipeline>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a kernel may write to an array.
pub(super) fn is_written(program: &Program, id: ParamId) -> bool {
    program.kernel.param(id).is_mutable()
}
