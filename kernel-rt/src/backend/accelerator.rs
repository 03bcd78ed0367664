//! The interface of devices with their own memory.
//!
//! Invariant: an accelerator gets only its own buffers, launches and graphs, or those of another stream of the same
//! device. The callers compare [`Accelerator::id`].

use super::program::Program;
use crate::array::{Bits, volume};
use crate::error::{DeviceError, LaunchError};
use std::any::Any;
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A stream of a device. The calls on one stream execute in order, and only a copy to the host waits. An operation on
/// buffers of another stream comes after the earlier work on that stream and before its later work.
pub(crate) trait Accelerator: fmt::Debug + Send + Sync {
    /// The device; equal for all its streams.
    fn id(&self) -> DeviceId;

    /// The name and architecture, for display.
    fn name(&self) -> String;

    /// The lock that a launch holds while it is prepared, because the launches on a device keep the order of the calls.
    fn queue(&self) -> &Mutex<()>;

    /// Another stream of the device.
    fn stream(&self) -> Result<Arc<dyn Accelerator>, DeviceError>;

    /// Waits for all earlier work on the stream.
    fn synchronize(&self) -> Result<(), DeviceError>;

    /// Allocates memory with a copy of `bytes`.
    fn buffer_from(&self, bytes: &[u8]) -> Result<Arc<dyn Buffer>, DeviceError>;

    /// Memory of `len` zeros.
    fn zeros(&self, len: usize) -> Result<Arc<dyn Buffer>, DeviceError>;

    /// Memory of another library on this device: the `len` bytes at `address`, which `owner` frees when it is dropped. If
    /// `is_read_only`, it is copied before it is written.
    ///
    /// # Safety
    /// Until the drop of `owner` the bytes are memory of this device that nothing else writes, and all work that has
    /// written them is done. If not `is_read_only`, nothing else reads them either.
    #[cfg(feature = "dlpack")]
    unsafe fn foreign(
        &self,
        address: u64,
        len: usize,
        owner: Box<dyn Send + Sync>,
        is_read_only: bool,
    ) -> Result<Arc<dyn Buffer>, DeviceError>;

    /// Runs a launch that [`KernelLaunch::check`] has accepted. With checks, it waits for the end.
    ///
    /// # Errors
    /// The device fails, or the checks find a fault.
    fn launch(&self, launch: &KernelLaunch<'_>, checks: Checks) -> Result<(), LaunchError>;

    /// Lets go of what the device keeps of a program that will not run again.
    fn forget(&self, program: &Program);

    /// An empty sequence of launches for replay on this stream.
    fn graph(&self) -> Box<dyn Graph>;

    /// Starts a timer at the current end of the stream.
    fn timer(&self) -> Result<Box<dyn Timer>, DeviceError>;
}

/// Bytes on a device. Operations on them execute in the order of the stream that created them.
pub(crate) trait Buffer: Any + Send + Sync {
    /// The number of bytes.
    fn len(&self) -> usize;

    /// The address on the device.
    #[cfg(feature = "dlpack")]
    fn address(&self) -> u64;

    /// Whether the memory must not be written, because another library has lent it for reading.
    fn is_read_only(&self) -> bool;

    /// A copy on the device.
    fn try_clone(&self) -> Result<Arc<dyn Buffer>, DeviceError>;

    /// Replaces all bytes by those of a buffer of the same length on the same device.
    fn copy_from(&self, other: &dyn Buffer) -> Result<(), DeviceError>;

    /// The `len` bytes from `start` on. The part keeps the whole buffer alive.
    fn part(self: Arc<Self>, start: usize, len: usize) -> Arc<dyn Buffer>;

    /// Replaces all bytes by host bytes of the same length.
    fn upload(&self, bytes: &[u8]) -> Result<(), DeviceError>;

    /// Copies all bytes to host memory of the same length, after all earlier work on the device.
    fn download(&self, bytes: &mut [u8]) -> Result<(), DeviceError>;

    /// Starts a copy of all bytes to the host, behind all earlier work on the device. Later work does not change them.
    fn start_download(&self) -> Result<Box<dyn PendingCopy>, DeviceError>;
}

/// A copy to the host that a device makes while the host goes on.
pub(crate) trait PendingCopy: Send {
    /// The bytes, when the copy is complete.
    fn wait(self: Box<Self>) -> Result<Vec<u8>, DeviceError>;
}

/// A sequence of launches that a device replays with one call.
pub(crate) trait Graph: Send {
    /// Runs the launches in order. Between calls, only the addresses of their arrays may change.
    fn replay(&mut self, launches: &[KernelLaunch<'_>]) -> Result<(), DeviceError>;
}

/// A running timer of a device.
pub(crate) trait Timer: Send + Sync {
    /// The time from the start to the last call on the device; waits for it.
    fn elapsed(&self) -> Result<Duration, DeviceError>;
}

/// A device: its backend and its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DeviceId {
    pub(crate) backend: &'static str,
    pub(crate) ordinal: usize,
}

/// The device in a sentence, as in "on CUDA device 0".
impl fmt::Display for DeviceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} device {}", self.backend, self.ordinal)
    }
}

/// Whether launches on an accelerator check indices and stored numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Checks {
    Off,
    On,
}

/// A launch of a program over `dim`, with one argument for each parameter.
pub(crate) struct KernelLaunch<'a> {
    pub(crate) program: &'a Program,
    pub(crate) dim: &'a [usize],
    pub(crate) args: &'a [KernelArg<'a>],
}

/// An argument of an accelerator launch.
#[cfg_attr(
    not(any(feature = "cuda", feature = "wgpu")),
    expect(dead_code, reason = "accelerators read it, and this build has none")
)]
pub(crate) enum KernelArg<'a> {
    Value(&'a Bits),
    Array { buffer: &'a dyn Buffer, shape: &'a [usize] },
}

impl KernelLaunch<'_> {
    /// Checks the launch and runs it.
    ///
    /// # Errors
    /// Those of [`KernelLaunch::check`] and of [`Accelerator::launch`].
    pub(crate) fn run(&self, on: &dyn Accelerator, checks: Checks) -> Result<(), LaunchError> {
        self.check()?;
        on.launch(self, checks)
    }

    /// Checks that arrays are as long as every thread needs them. An accelerator would access memory beyond their ends.
    ///
    /// # Errors
    /// [`LaunchError::TooShort`] for an array that is shorter than the launch.
    pub(crate) fn check(&self) -> Result<(), LaunchError> {
        let KernelLaunch { program, dim, args } = self;
        for precondition in &program.preconditions {
            let KernelArg::Array { shape, .. } = &args[precondition.array.0 as usize] else { continue };
            let (threads, extent) = (dim[usize::from(precondition.tid)], shape[usize::from(precondition.axis)]);
            if extent < threads && volume(dim) != Some(0) {
                let param = program.kernel.param(precondition.array).name.clone();
                let axis = precondition.axis.into();
                return Err(LaunchError::TooShort { kernel: program.name, param, axis, extent, threads });
            }
        }
        Ok(())
    }
}

/// Copies a buffer that has several owners or is read-only, so that this owner can write to it (copy-on-write).
pub(crate) fn make_unique(buffer: &mut Arc<dyn Buffer>) -> Result<(), DeviceError> {
    if Arc::strong_count(buffer) > 1 || buffer.is_read_only() {
        *buffer = buffer.try_clone()?;
    }
    Ok(())
}
