//! NVIDIA GPUs, through `cudarc`.
//!
//! - **Nothing is linked.** The driver and NVRTC are loaded when a device is opened; what is missing is an error that says so.
//! - **Streams order themselves.** What is asked of one stream happens in the order of the calls; only a copy to the host waits.
//!   Memory belongs to the stream that made it. Where another one uses it, each waits for the other ([`Cuda::among`]).
//! - **Data-driven.** A launch is the kernel's texts, its IR and its arguments; no code is made for a kernel but what NVRTC
//!   makes of its text. How the arguments lie is [`kernel_ir::ir::Kernel::abi`], which the writer of the text follows too.
//! - **Compiled once.** A text becomes machine code for this device's architecture at its first launch, and stays in a cache
//!   on disk.
//! - **Two widths.** While every array, extent and index of a launch is below 2³¹ the text runs as it is written; a larger
//!   launch runs a variant whose indices have 64 bits.
//! - **Products and sums are not contracted** (`--fmad=false`): a kernel of exact operations gives the CPU's bits.

mod buffer;
mod cache;
mod call;
mod compile;
mod data;
mod graph;
mod kernel;
mod pullback;
mod sums;
mod timer;

pub(crate) use buffer::Buffer;
pub(crate) use graph::Recorded;
pub(crate) use timer::Timer;

use crate::DeviceError;
use cudarc::driver::sys::{CUdevice_attribute, CUmemPool_attribute};
use cudarc::driver::{CudaContext, CudaStream, DriverError, result};
use kernel::Kernels;
use std::ffi::c_void;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// A stream of a CUDA device. There is a first one for each ordinal.
pub(crate) struct Cuda {
    ordinal: usize,
    name: String,
    /// As in `sm_90`.
    arch: String,
    /// The number of multiprocessors.
    processors: u32,
    context: Arc<CudaContext>,
    stream: Arc<CudaStream>,
    /// What was compiled and loaded so far, for all streams.
    kernels: Arc<Kernels>,
    /// Held while a launch is put together: launches on a device happen one after the other.
    turn: Arc<Mutex<()>>,
}

impl Cuda {
    /// The first stream of the device of that number, opened at the first call.
    pub(crate) fn open(ordinal: usize) -> Result<Arc<Cuda>, DeviceError> {
        static OPEN: Mutex<Vec<Arc<Cuda>>> = Mutex::new(Vec::new());
        // A device is added whole or not at all.
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(cuda) = open.iter().find(|cuda| cuda.ordinal == ordinal) {
            return Ok(Arc::clone(cuda));
        }
        let cuda = Arc::new(Cuda::new(ordinal)?);
        open.push(Arc::clone(&cuda));
        Ok(cuda)
    }

    fn new(ordinal: usize) -> Result<Cuda, DeviceError> {
        let missing = |library, help| DeviceError::MissingLibrary { ordinal, library, help };
        // SAFETY: these only ask the system for the libraries, whose initialisation is NVIDIA's.
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
            return Err(DeviceError::NoSuchDevice { ordinal, count });
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
            kernels: Arc::default(),
            turn: Arc::default(),
        })
    }

    /// Another stream of the device.
    pub(crate) fn stream(&self) -> Result<Cuda, DeviceError> {
        Ok(Cuda {
            ordinal: self.ordinal,
            name: self.name.clone(),
            arch: self.arch.clone(),
            processors: self.processors,
            stream: self.context.new_stream().map_err(failed("cuStreamCreate"))?,
            context: Arc::clone(&self.context),
            kernels: Arc::clone(&self.kernels),
            turn: Arc::clone(&self.turn),
        })
    }

    /// Does `work` on this stream, which is about these buffers: after what was asked of their streams before, and before
    /// what is asked of them from now on.
    fn among<'a, E: From<DeviceError>>(
        &self,
        buffers: impl Iterator<Item = &'a Buffer>,
        work: impl FnOnce() -> Result<(), E>,
    ) -> Result<(), E> {
        let mut others: Vec<&Arc<CudaStream>> = Vec::new();
        for stream in buffers.map(Buffer::stream) {
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

    pub(crate) fn ordinal(&self) -> usize {
        self.ordinal
    }

    /// The name and architecture, for people.
    pub(crate) fn name(&self) -> String {
        format!("{} ({})", self.name, self.arch)
    }

    pub(crate) fn turn(&self) -> &Mutex<()> {
        &self.turn
    }

    /// Waits for all that was asked of the stream.
    pub(crate) fn synchronize(&self) -> Result<(), DeviceError> {
        self.bind()?;
        self.stream.synchronize().map_err(failed("cuStreamSynchronize"))
    }

    /// Makes the device the one that this thread's calls are about.
    fn bind(&self) -> Result<(), DeviceError> {
        self.context.bind_to_thread().map_err(failed("cuCtxSetCurrent"))
    }
}

/// The number of multiprocessors.
fn processors(context: &CudaContext) -> Result<u32, DriverError> {
    let count = context.attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?;
    Ok(u32::try_from(count).unwrap_or(1))
}

/// Keeps freed memory for the next array: a training makes the same arrays again and again.
fn keep_memory(context: &CudaContext) -> Result<(), DriverError> {
    if !context.has_async_alloc() {
        return Ok(());
    }
    let mut threshold = u64::MAX;
    // SAFETY: the device is open, and the attribute is an unsigned 64-bit number, which the driver copies.
    unsafe {
        let pool = result::device::get_default_mem_pool(context.cu_device())?;
        let attribute = CUmemPool_attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD;
        result::mem_pool::set_attribute(pool, attribute, (&raw mut threshold).cast::<c_void>())
    }
}

/// The error of a driver's call.
fn failed(call: &'static str) -> impl Fn(DriverError) -> DeviceError {
    move |error| {
        let name = error.error_name().map_or("an unknown error".into(), |name| name.to_string_lossy());
        let text = error.error_string().map_or("".into(), |text| text.to_string_lossy());
        DeviceError::Driver { call, message: format!("{name} ({text})") }
    }
}

impl fmt::Debug for Cuda {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cuda").field("ordinal", &self.ordinal).field("name", &self.name()).finish_non_exhaustive()
    }
}

impl PartialEq for Cuda {
    fn eq(&self, other: &Cuda) -> bool {
        self.ordinal == other.ordinal
    }
}

impl Eq for Cuda {}
