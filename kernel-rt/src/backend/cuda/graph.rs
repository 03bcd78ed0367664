//! Sequences of launches that the driver replays as one CUDA graph.

use super::buffer::Buffer;
use super::error::failed;
use super::launch::{Ready, ready, streams};
use super::stream::Cuda;
use crate::backend::accelerator::{self, KernelArg, KernelLaunch};
use crate::error::DeviceError;
use cudarc::driver::{result, sys};
use std::sync::Arc;

/// The CUDA graph of a sequence of launches.
///
/// A CUDA graph contains addresses. A write to an array moves it if a snapshot of it exists. A replay therefore
/// compares the addresses of all arrays, and rebuilds the graph if one has changed.
pub(super) struct Graph {
    cuda: Arc<Cuda>,
    built: Option<Built>,
}

/// A graph for arrays at these addresses.
struct Built {
    addresses: Vec<sys::CUdeviceptr>,
    graph: sys::CUgraph,
    exec: sys::CUgraphExec,
}

// SAFETY: the driver accepts the handles on every thread, but on one at a time. `Graph` is used under a lock.
unsafe impl Send for Built {}

impl Graph {
    pub(super) fn new(cuda: &Arc<Cuda>) -> Graph {
        Graph { cuda: Arc::clone(cuda), built: None }
    }

    fn build(&self, launches: &[KernelLaunch<'_>], addresses: Vec<sys::CUdeviceptr>) -> Result<Built, DeviceError> {
        let mut prepared = Vec::new();
        for launch in launches {
            prepared.extend(ready(&self.cuda, launch, None)?);
        }
        self.cuda.bind()?;
        let mut graph = std::ptr::null_mut();
        // SAFETY: the pointer is valid during the call. The flags must be zero.
        unsafe { sys::cuGraphCreate(&raw mut graph, 0) }.result().map_err(failed("cuGraphCreate"))?;
        let mut built = Built { addresses, graph, exec: std::ptr::null_mut() };
        // Each node depends on the one before, so the launches keep their order.
        let mut last = None;
        for ready in &mut prepared {
            last = Some(built.add(ready, last)?);
        }
        // SAFETY: the graph was created above.
        built.exec = unsafe { result::graph::instantiate(graph, sys::CUgraphInstantiate_flags(0)) }
            .map_err(failed("cuGraphInstantiate"))?;
        Ok(built)
    }
}

impl accelerator::Graph for Graph {
    fn replay(&mut self, launches: &[KernelLaunch<'_>]) -> Result<(), DeviceError> {
        let address = |arg: &KernelArg<'_>| match arg {
            KernelArg::Array { buffer, .. } => Some(Buffer::of(*buffer).pointer()),
            KernelArg::Value(_) => None,
        };
        let addresses: Vec<_> = launches.iter().flat_map(|launch| launch.args.iter().filter_map(address)).collect();
        if self.built.as_ref().is_none_or(|built| built.addresses != addresses) {
            self.built = Some(self.build(launches, addresses)?);
        }
        let Some(built) = &self.built else { return Ok(()) };
        self.cuda.bind()?;
        self.cuda.among(launches.iter().flat_map(|launch| streams(launch.args)), || {
            // SAFETY: the graph is complete, and the handles keep all memory in it alive.
            unsafe { result::graph::launch(built.exec, self.cuda.stream.cu_stream()) }.map_err(failed("cuGraphLaunch"))
        })
    }
}

impl Built {
    /// Adds a launch after the node `after`.
    fn add(&self, ready: &mut Ready, after: Option<sys::CUgraphNode>) -> Result<sys::CUgraphNode, DeviceError> {
        let mut arguments = ready.pointers();
        let ([grid_x, grid_y, grid_z], [block_x, block_y, block_z]) = (ready.grid, ready.block);
        let params = sys::CUDA_KERNEL_NODE_PARAMS {
            func: ready.function(),
            gridDimX: grid_x,
            gridDimY: grid_y,
            gridDimZ: grid_z,
            blockDimX: block_x,
            blockDimY: block_y,
            blockDimZ: block_z,
            sharedMemBytes: 0,
            kernelParams: arguments.as_mut_ptr(),
            extra: std::ptr::null_mut(),
            kern: std::ptr::null_mut(),
            ctx: std::ptr::null_mut(),
        };
        let mut node = std::ptr::null_mut();
        let after = after.as_slice();
        // SAFETY: the pointers are valid during the call, which copies the arguments. See `launch` for the arguments
        // themselves.
        unsafe {
            sys::cuGraphAddKernelNode_v2(&raw mut node, self.graph, after.as_ptr(), after.len(), &raw const params)
        }
        .result()
        .map_err(failed("cuGraphAddKernelNode"))?;
        Ok(node)
    }
}

impl Drop for Built {
    fn drop(&mut self) {
        // SAFETY: this value owns both handles, or `exec` is null. The driver keeps a graph that still runs.
        unsafe {
            if !self.exec.is_null() {
                let _ = result::graph::exec_destroy(self.exec);
            }
            let _ = result::graph::destroy(self.graph);
        }
    }
}
