//! Devices and their streams.

use super::error::{BACKEND, failed};
use super::function::Functions;
use crate::error::DeviceError;
use cudarc::driver::sys::{CUdevice_attribute, CUmemPool_attribute};
use cudarc::driver::{CudaContext, CudaStream, DriverError, result};
use std::ffi::c_void;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// A stream of a CUDA device. Each ordinal has a first stream.
pub(super) struct Cuda {
    pub(super) ordinal: usize,
    pub(super) name: String,
    /// As in `sm_90`.
    pub(super) arch: String,
    /// The number of multiprocessors.
    pub(super) processors: u32,
    pub(super) context: Arc<CudaContext>,
    pub(super) stream: Arc<CudaStream>,
    /// The compiled and loaded functions, shared by all streams.
    pub(super) functions: Arc<Functions>,
    /// The lock that a launch holds while it is prepared.
    pub(super) queue: Arc<Mutex<()>>,
}

impl Cuda {
    /// The first stream of the device with this ordinal. Later calls return the same stream.
    pub(super) fn open(ordinal: usize) -> Result<Arc<Cuda>, DeviceError> {
        static OPEN: Mutex<Vec<Arc<Cuda>>> = Mutex::new(Vec::new());
        // Poisoning is harmless: a device is pushed as a whole.
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(cuda) = open.iter().find(|cuda| cuda.ordinal == ordinal) {
            return Ok(Arc::clone(cuda));
        }
        let cuda = Arc::new(Cuda::new(ordinal)?);
        open.push(Arc::clone(&cuda));
        Ok(cuda)
    }

    fn new(ordinal: usize) -> Result<Cuda, DeviceError> {
        let missing = |library, help| DeviceError::MissingLibrary { backend: BACKEND, ordinal, library, help };
        // SAFETY: the functions only load the libraries; their initialisers are NVIDIA's.
        let (driver, nvrtc) =
            unsafe { (cudarc::driver::sys::is_culib_present(), cudarc::nvrtc::sys::is_culib_present()) };
        if !driver {
            return Err(missing("the CUDA driver (libcuda.so)", "install NVIDIA's driver, or use `Device::cpu()`"));
        }
        if !nvrtc {
            let help = "install the CUDA toolkit, or put the folder of libnvrtc.so into LD_LIBRARY_PATH";
            return Err(missing("the compiler NVRTC (libnvrtc.so)", help));
        }
        let count = result::init().and_then(|()| CudaContext::device_count()).map_err(failed("cuInit"))?;
        let count = usize::try_from(count).unwrap_or(0);
        if ordinal >= count {
            return Err(DeviceError::NoSuchDevice { backend: BACKEND, ordinal, count });
        }
        let context = CudaContext::new(ordinal).map_err(failed("cuDevicePrimaryCtxRetain"))?;
        let (major, minor) = context.compute_capability().map_err(failed("cuDeviceGetAttribute"))?;
        keep_memory(&context).map_err(failed("cuMemPoolSetAttribute"))?;
        Ok(Cuda {
            ordinal,
            name: context.name().map_err(failed("cuDeviceGetName"))?,
            arch: format!("sm_{major}{minor}"),
            processors: processors(&context).map_err(failed("cuDeviceGetAttribute"))?,
            stream: context.new_stream().map_err(failed("cuStreamCreate"))?,
            context,
            functions: Arc::default(),
            queue: Arc::default(),
        })
    }

    /// A new stream of the device.
    pub(super) fn another(&self) -> Result<Cuda, DeviceError> {
        Ok(Cuda {
            ordinal: self.ordinal,
            name: self.name.clone(),
            arch: self.arch.clone(),
            processors: self.processors,
            stream: self.context.new_stream().map_err(failed("cuStreamCreate"))?,
            context: Arc::clone(&self.context),
            functions: Arc::clone(&self.functions),
            queue: Arc::clone(&self.queue),
        })
    }

    /// Runs `work` on this stream, ordered among the `streams` of the buffers that it uses: after their earlier work,
    /// and before their later work.
    pub(super) fn among<'a>(
        &self,
        streams: impl Iterator<Item = &'a Arc<CudaStream>>,
        work: impl FnOnce() -> Result<(), DeviceError>,
    ) -> Result<(), DeviceError> {
        let mut others: Vec<&Arc<CudaStream>> = Vec::new();
        for stream in streams {
            let is_known = |known: &Arc<CudaStream>| known.cu_stream() == stream.cu_stream();
            if !is_known(&self.stream) && !others.iter().any(|other| is_known(other)) {
                others.push(stream);
            }
        }
        let wait = |one: &CudaStream, other: &CudaStream| one.join(other).map_err(failed("cuStreamWaitEvent"));
        for other in &others {
            wait(&self.stream, other)?;
        }
        work()?;
        for other in &others {
            wait(other, &self.stream)?;
        }
        Ok(())
    }

    /// Waits for all earlier work on the stream.
    pub(super) fn synchronize(&self) -> Result<(), DeviceError> {
        self.bind()?;
        self.stream.synchronize().map_err(failed("cuStreamSynchronize"))
    }

    /// Makes the device current for the calling thread.
    pub(super) fn bind(&self) -> Result<(), DeviceError> {
        self.context.bind_to_thread().map_err(failed("cuCtxSetCurrent"))
    }
}

/// The number of multiprocessors.
fn processors(context: &CudaContext) -> Result<u32, DriverError> {
    let count = context.attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?;
    Ok(u32::try_from(count).unwrap_or(1))
}

/// Keeps freed memory in the pool, because a training loop allocates the same arrays in each iteration.
fn keep_memory(context: &CudaContext) -> Result<(), DriverError> {
    if !context.has_async_alloc() {
        return Ok(());
    }
    let mut threshold = u64::MAX;
    // SAFETY: the device is open. The attribute is an unsigned 64-bit number, which the driver copies.
    unsafe {
        let pool = result::device::get_default_mem_pool(context.cu_device())?;
        let attribute = CUmemPool_attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD;
        result::mem_pool::set_attribute(pool, attribute, (&raw mut threshold).cast::<c_void>())
    }
}

impl fmt::Debug for Cuda {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cuda").field("ordinal", &self.ordinal).field("name", &self.name).finish_non_exhaustive()
    }
}
