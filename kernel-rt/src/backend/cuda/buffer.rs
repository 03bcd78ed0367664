//! Device memory.

use super::download::Download;
use super::error::failed;
use super::stream::Cuda;
use crate::backend::accelerator;
use crate::error::DeviceError;
use cudarc::driver::sys::CUdeviceptr;
use cudarc::driver::{CudaStream, result};
use std::any::Any;
use std::sync::Arc;

/// Bytes on a device. All operations on them, including the release, execute in the order of the stream that allocated
/// them.
pub(super) struct Buffer {
    cuda: Arc<Cuda>,
    pointer: CUdeviceptr,
    len: usize,
    owner: Owner,
}

/// The owner of the memory of a buffer.
enum Owner {
    /// The buffer itself.
    Buffer,
    /// The buffer of which this one is a part.
    Whole(Arc<Buffer>),
    /// Another library, until this object is dropped. `None` only while that happens.
    #[cfg(feature = "dlpack")]
    Foreign { object: Option<Box<dyn Send + Sync>>, is_read_only: bool },
}

/// The size of the largest element in bytes: a 4×4 matrix of `f64`.
const LARGEST: usize = 16 * size_of::<f64>();

impl Buffer {
    /// The CUDA buffer behind `buffer`. An accelerator gets only its own buffers, so this does not fail.
    pub(super) fn of(buffer: &dyn accelerator::Buffer) -> &Buffer {
        let buffer: &dyn Any = buffer;
        buffer.downcast_ref().expect("a CUDA device gets buffers of CUDA devices")
    }

    /// Allocates `len` zero bytes.
    pub(super) fn zeros(cuda: &Arc<Cuda>, len: usize) -> Result<Buffer, DeviceError> {
        let buffer = Buffer::unset(cuda, len)?;
        buffer.clear()?;
        Ok(buffer)
    }

    /// Allocates uninitialised memory. The caller must write it before any read.
    pub(super) fn unset(cuda: &Arc<Cuda>, len: usize) -> Result<Buffer, DeviceError> {
        cuda.bind()?;
        // At least one element is allocated: the driver rejects an allocation of no bytes, a kernel may take the
        // address of an empty array, and a bounds-checked kernel accesses element 0 in the place of one out of bounds.
        let bytes = len.max(LARGEST);
        let stream = cuda.stream.cu_stream();
        let pointer = match cuda.context.has_async_alloc() {
            // SAFETY: the callers of this function write the memory before any read.
            true => unsafe { result::malloc_async(stream, bytes) }.map_err(failed("cuMemAllocAsync")),
            // SAFETY: as above.
            false => unsafe { result::malloc_sync(bytes) }.map_err(failed("cuMemAlloc")),
        }?;
        Ok(Buffer { cuda: Arc::clone(cuda), pointer, len, owner: Owner::Buffer })
    }

    /// Memory of another library; see [`Accelerator::foreign`](accelerator::Accelerator::foreign).
    ///
    /// # Safety
    /// As for that function.
    #[cfg(feature = "dlpack")]
    pub(super) unsafe fn foreign(
        cuda: &Arc<Cuda>,
        pointer: CUdeviceptr,
        len: usize,
        object: Box<dyn Send + Sync>,
        is_read_only: bool,
    ) -> Result<Buffer, DeviceError> {
        // The address of memory without bytes may be null, and kernels take the addresses of empty arrays.
        if len == 0 {
            return Buffer::zeros(cuda, 0);
        }
        let owner = Owner::Foreign { object: Some(object), is_read_only };
        Ok(Buffer { cuda: Arc::clone(cuda), pointer, len, owner })
    }

    /// Sets all bytes to zero.
    fn clear(&self) -> Result<(), DeviceError> {
        if self.len == 0 {
            return Ok(());
        }
        self.cuda.bind()?;
        // SAFETY: the memory has `len` bytes.
        unsafe { result::memset_d8_async(self.pointer, 0, self.len, self.cuda.stream.cu_stream()) }
            .map_err(failed("cuMemsetD8Async"))
    }

    /// The stream that allocated it.
    pub(super) fn stream(&self) -> &Arc<CudaStream> {
        &self.cuda.stream
    }

    pub(super) fn pointer(&self) -> CUdeviceptr {
        self.pointer
    }
}

impl accelerator::Buffer for Buffer {
    fn len(&self) -> usize {
        self.len
    }

    #[cfg(feature = "dlpack")]
    fn address(&self) -> u64 {
        self.pointer
    }

    fn is_read_only(&self) -> bool {
        match &self.owner {
            Owner::Buffer => false,
            Owner::Whole(whole) => whole.is_read_only(),
            #[cfg(feature = "dlpack")]
            Owner::Foreign { is_read_only, .. } => *is_read_only,
        }
    }

    fn try_clone(&self) -> Result<Arc<dyn accelerator::Buffer>, DeviceError> {
        let copy = Buffer::unset(&self.cuda, self.len)?;
        copy.copy_from(self)?;
        Ok(Arc::new(copy))
    }

    fn copy_from(&self, other: &dyn accelerator::Buffer) -> Result<(), DeviceError> {
        let other = Buffer::of(other);
        assert_eq!(other.len, self.len, "a copy on a device has as many bytes as the memory there");
        if self.len == 0 || self.pointer == other.pointer {
            return Ok(());
        }
        self.cuda.bind()?;
        self.cuda.among([other.stream()].into_iter(), || {
            // SAFETY: both are `len` bytes of memory of this device. They belong to different arrays, so they do not
            // overlap.
            unsafe { result::memcpy_dtod_async(self.pointer, other.pointer, self.len, self.cuda.stream.cu_stream()) }
                .map_err(failed("cuMemcpyDtoDAsync"))
        })
    }

    fn part(self: Arc<Self>, start: usize, len: usize) -> Arc<dyn accelerator::Buffer> {
        assert!(start + len <= self.len, "a part of a buffer is inside");
        // A part of no bytes starts at the start of the buffer, where at least one element is allocated (see `unset`).
        let start = if len == 0 { 0 } else { start as CUdeviceptr };
        let (cuda, pointer) = (Arc::clone(&self.cuda), self.pointer + start);
        Arc::new(Buffer { cuda, pointer, len, owner: Owner::Whole(self) })
    }

    fn upload(&self, bytes: &[u8]) -> Result<(), DeviceError> {
        assert_eq!(bytes.len(), self.len, "a copy to a device has as many bytes as the memory there");
        if bytes.is_empty() {
            return Ok(());
        }
        self.cuda.bind()?;
        // SAFETY: the memory has `bytes.len()` bytes. The driver has read pageable host memory when the call returns.
        unsafe { result::memcpy_htod_async(self.pointer, bytes, self.cuda.stream.cu_stream()) }
            .map_err(failed("cuMemcpyHtoDAsync"))
    }

    fn download(&self, bytes: &mut [u8]) -> Result<(), DeviceError> {
        assert_eq!(bytes.len(), self.len, "a copy from a device has as many bytes as the memory there");
        if !bytes.is_empty() {
            self.cuda.bind()?;
            // SAFETY: the memory has `bytes.len()` bytes, and `synchronize` below waits before the borrow of `bytes`
            // ends.
            unsafe { result::memcpy_dtoh_async(bytes, self.pointer, self.cuda.stream.cu_stream()) }
                .map_err(failed("cuMemcpyDtoHAsync"))?;
        }
        self.cuda.synchronize()
    }

    fn start_download(&self) -> Result<Box<dyn accelerator::PendingCopy>, DeviceError> {
        // SAFETY: the memory has `len` bytes, and `drop` releases them in the order of the stream.
        let download = unsafe { Download::start(&self.cuda, self.pointer, self.len) }?;
        Ok(Box::new(download))
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        match &mut self.owner {
            Owner::Buffer => {}
            Owner::Whole(_) => return,
            #[cfg(feature = "dlpack")]
            Owner::Foreign { object, .. } => {
                // The owner does not know this stream, so the uses must end before it frees the memory. An error means
                // that the device has failed, and then nothing uses the memory either.
                let _ = self.cuda.synchronize();
                drop(object.take());
                return;
            }
        }
        // `drop` cannot return an error; the driver repeats one that matters at the next call.
        let _ = self.cuda.bind();
        let _ = match self.cuda.context.has_async_alloc() {
            // SAFETY: this buffer owns the memory. All uses are earlier in the stream, because other streams join it
            // after a use.
            true => unsafe { result::free_async(self.pointer, self.cuda.stream.cu_stream()) },
            // SAFETY: as above; this call waits for all uses.
            false => unsafe { result::free_sync(self.pointer) },
        };
    }
}
