//! Sequences of launches that a device replays as one submission.

use super::buffer::Buffer;
use super::gpu::Gpu;
use super::launch::{Ready, submit};
use crate::backend::accelerator::{self, KernelArg, KernelLaunch};
use crate::error::DeviceError;
use std::sync::Arc;

/// A sequence of launches. `wgpu` takes a command buffer once only, so a replay records the commands again; the pipelines,
/// the uniform buffers and the bindings stay.
///
/// A write to an array moves it if a snapshot of it exists. A replay therefore compares the memory of all arrays, and
/// prepares the launches again if one has moved.
pub(super) struct Graph {
    gpu: Arc<Gpu>,
    /// The memory of all arrays, with the first byte of each.
    memory: Vec<(wgpu::Buffer, usize)>,
    ready: Vec<Ready>,
}

impl Graph {
    pub(super) fn new(gpu: &Arc<Gpu>) -> Graph {
        Graph { gpu: Arc::clone(gpu), memory: Vec::new(), ready: Vec::new() }
    }
}

impl accelerator::Graph for Graph {
    fn replay(&mut self, launches: &[KernelLaunch<'_>]) -> Result<(), DeviceError> {
        let memory = |arg: &KernelArg<'_>| match arg {
            KernelArg::Array { buffer, .. } => {
                Some(Buffer::of(*buffer)).map(|buffer| (buffer.raw.clone(), buffer.start))
            }
            KernelArg::Value(_) => None,
        };
        let memory: Vec<_> = launches.iter().flat_map(|launch| launch.args.iter().filter_map(memory)).collect();
        if self.ready.is_empty() || self.memory != memory {
            let mut ready = Vec::new();
            for launch in launches {
                ready.extend(Ready::new(&self.gpu, launch, None)?);
            }
            (self.memory, self.ready) = (memory, ready);
        }
        submit(&self.gpu, &self.ready)
    }
}
