//! A sequence of launches that the driver replays as one.

use super::call::Call;
use super::kernel::Ready;
use super::{Buffer, Cuda, failed};
use crate::device::Handle;
use crate::launch::launcher::Launch;
use crate::{DeviceError, LaunchError};
use cudarc::driver::{result, sys};
use std::sync::Arc;

/// Launches to be replayed, and the driver's graph of them.
///
/// The graph holds addresses. An array moves where a snapshot of it is kept and it is written; so a replay looks whether the
/// arrays are where they were, and makes the graph anew if not.
pub(crate) struct Recorded {
    cuda: Arc<Cuda>,
    calls: Vec<Call>,
    built: Option<Built>,
}

/// A graph for arrays at these addresses.
struct Built {
    addresses: Vec<sys::CUdeviceptr>,
    graph: sys::CUgraph,
    exec: sys::CUgraphExec,
}

// SAFETY: the handles are the driver's, which takes them from every thread, one at a time; `Recorded` is used behind a lock.
unsafe impl Send for Built {}

impl Recorded {
    pub(crate) fn new(cuda: &Arc<Cuda>) -> Recorded {
        Recorded { cuda: Arc::clone(cuda), calls: Vec::new(), built: None }
    }

    /// The number of launches.
    pub(crate) fn len(&self) -> usize {
        self.calls.len()
    }

    /// Adds a launch at the end. `handles` are those of its array arguments.
    pub(crate) fn push(&mut self, launch: &Launch<'_>, handles: &[Handle]) -> Result<(), LaunchError> {
        let call = Call::new(&self.cuda, launch, handles);
        let fits = call.function.check(&call.dim, &call.args(&call.buffers()));
        fits.map_err(|error| error.of(launch.kernel.name))?;
        self.calls.push(call);
        self.built = None;
        Ok(())
    }

    /// Runs all launches, in their order.
    pub(crate) fn replay(&mut self) -> Result<(), DeviceError> {
        // All at first: an array that two launches write stays where it is for both.
        for call in &self.calls {
            call.write()?;
        }
        let buffers: Vec<_> = self.calls.iter().map(Call::buffers).collect();
        let addresses: Vec<_> = buffers.iter().flatten().map(|buffer| buffer.pointer()).collect();
        if self.built.as_ref().is_none_or(|built| built.addresses != addresses) {
            self.built = Some(self.build(&buffers, addresses)?);
        }
        let Some(built) = &self.built else { return Ok(()) };
        self.cuda.bind()?;
        self.cuda.among(buffers.iter().flatten().map(|buffer| &**buffer), || {
            // SAFETY: the graph is whole, and every address in it is memory that the handles keep alive.
            unsafe { result::graph::launch(built.exec, self.cuda.stream.cu_stream()) }.map_err(failed("cuGraphLaunch"))
        })
    }

    fn build(&self, buffers: &[Vec<Arc<Buffer>>], addresses: Vec<sys::CUdeviceptr>) -> Result<Built, DeviceError> {
        let mut ready = Vec::new();
        for (call, buffers) in self.calls.iter().zip(buffers) {
            ready.extend(self.cuda.ready(&call.function, &call.dim, &call.args(buffers), None)?);
        }
        self.cuda.bind()?;
        let mut graph = std::ptr::null_mut();
        // SAFETY: the pointer is valid for the call, and the flags must be zero.
        unsafe { sys::cuGraphCreate(&raw mut graph, 0) }.result().map_err(failed("cuGraphCreate"))?;
        let mut built = Built { addresses, graph, exec: std::ptr::null_mut() };
        let mut last = None;
        for ready in &mut ready {
            last = Some(built.add(ready, last)?);
        }
        // SAFETY: the graph was made above.
        built.exec = unsafe { result::graph::instantiate(graph, sys::CUgraphInstantiate_flags(0)) }
            .map_err(failed("cuGraphInstantiate"))?;
        Ok(built)
    }
}

impl Built {
    /// Adds a launch that follows `after`.
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
        // SAFETY: the pointers are valid for the call, which copies the arguments; they are those of a launch, see there.
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
        // SAFETY: both are this value's own, or null. The driver keeps what still runs.
        unsafe {
            if !self.exec.is_null() {
                let _ = result::graph::exec_destroy(self.exec);
            }
            let _ = result::graph::destroy(self.graph);
        }
    }
}
