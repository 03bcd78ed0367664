//! Copies to the host that the device makes while the host goes on.

use super::error::failed;
use super::stream::Cuda;
use crate::backend::accelerator::PendingCopy;
use crate::error::DeviceError;
use cudarc::driver::sys::{CUdeviceptr, CUevent_flags};
use cudarc::driver::{CudaEvent, result};
use std::ffi::c_void;
use std::sync::Arc;

/// A copy into page-locked memory: into other memory the driver would copy before the call returns.
pub(super) struct Download {
    cuda: Arc<Cuda>,
    host: *mut c_void,
    len: usize,
    /// Recorded behind the copy.
    done: CudaEvent,
}

// SAFETY: the memory belongs to this value alone, and CUDA's functions may be called from any thread.
unsafe impl Send for Download {}

impl Download {
    /// Starts a copy of `len` bytes at `source`, behind all work of the stream.
    ///
    /// # Safety
    /// `source` has `len` bytes, and they are released in the order of the stream.
    pub(super) unsafe fn start(cuda: &Arc<Cuda>, source: CUdeviceptr, len: usize) -> Result<Download, DeviceError> {
        cuda.bind()?;
        let done = cuda.context.new_event(Some(CUevent_flags::CU_EVENT_BLOCKING_SYNC));
        let done = done.map_err(failed("cuEventCreate"))?;
        // SAFETY: nothing reads the memory before the copy has written it. No allocation is empty.
        let host = unsafe { result::malloc_host(len.max(1), 0) }.map_err(failed("cuMemHostAlloc"))?;
        // SAFETY: the memory has `len` bytes, which nobody else knows.
        let bytes = unsafe { std::slice::from_raw_parts_mut(host.cast::<u8>(), len) };
        let copied = match len {
            0 => Ok(()),
            // SAFETY: as the caller promises, and as above. The memory is released behind the copy.
            _ => unsafe { result::memcpy_dtoh_async(bytes, source, cuda.stream.cu_stream()) },
        };
        let recorded = copied
            .map_err(failed("cuMemcpyDtoHAsync"))
            .and_then(|()| done.record(&cuda.stream).map_err(failed("cuEventRecord")));
        if let Err(error) = recorded {
            let _ = cuda.stream.synchronize();
            // SAFETY: `malloc_host` has returned the memory, and no work of the stream is left.
            let _ = unsafe { result::free_host(host) };
            return Err(error);
        }
        Ok(Download { cuda: Arc::clone(cuda), host, len, done })
    }
}

impl PendingCopy for Download {
    fn wait(self: Box<Self>) -> Result<Vec<u8>, DeviceError> {
        self.cuda.bind()?;
        self.done.synchronize().map_err(failed("cuEventSynchronize"))?;
        // SAFETY: the copy is complete, so the bytes are written and the device no longer touches them.
        Ok(unsafe { std::slice::from_raw_parts(self.host.cast::<u8>(), self.len) }.to_vec())
    }
}

impl Drop for Download {
    fn drop(&mut self) {
        // Nobody is told of an error here: the next call on the device returns it.
        let _ = self.cuda.bind();
        // The copy alone: later work of the stream may take long.
        let _ = self.done.synchronize();
        // SAFETY: `malloc_host` has returned the memory, and no copy is under way.
        let _ = unsafe { result::free_host(self.host) };
    }
}
