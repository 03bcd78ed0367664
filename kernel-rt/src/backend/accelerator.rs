//! The seam between the runtime and a device with memory of its own.
//!
//! A buffer, a launch and a graph are given only to the accelerator that they belong to, or to another stream of the same
//! device: the callers check devices by [`Accelerator::id`].

use super::program::Program;
use crate::array::{Bits, volume};
use crate::error::{DeviceError, LaunchError};
use std::any::Any;
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A stream of a device. What is asked of one stream happens in the order of the calls, and only a copy to the host waits.
/// Work on buffers of other streams is ordered after what these were asked before, and before what they are asked later.
pub(crate) trait Accelerator: fmt::Debug + Send + Sync {
    /// The device: equal for its streams.
    fn id(&self) -> DeviceId;

    /// The name and architecture, for people.
    fn name(&self) -> String;

    /// Held while a launch is prepared: launches on a device happen one after the other.
    fn queue(&self) -> &Mutex<()>;

    /// Another stream of the device.
    fn stream(&self) -> Result<Arc<dyn Accelerator>, DeviceError>;

    /// Waits for all that was asked of the stream.
    fn synchronize(&self) -> Result<(), DeviceError>;

    /// Memory with a copy of `bytes`.
    fn buffer_from(&self, bytes: &[u8]) -> Result<Arc<dyn Buffer>, DeviceError>;

    /// Memory of `len` zeros.
    fn zeros(&self, len: usize) -> Result<Arc<dyn Buffer>, DeviceError>;

    /// Runs a launch, which [`KernelLaunch::check`] has accepted. With checks it waits for the end.
    ///
    /// # Errors
    /// The device fails, or the checks have found a fault.
    fn launch(&self, launch: &KernelLaunch<'_>, checks: Checks) -> Result<(), LaunchError>;

    /// A sequence of launches to be replayed on this stream.
    fn graph(&self) -> Box<dyn Graph>;

    /// Starts a timer at the end of the stream.
    fn timer(&self) -> Result<Box<dyn Timer>, DeviceError>;
}

/// Bytes on a device. What is asked of them happens in the order of the stream that made them.
pub(crate) trait Buffer: Any + Send + Sync {
    /// The number of bytes.
    fn len(&self) -> usize;

    /// A copy on the device.
    fn try_clone(&self) -> Result<Arc<dyn Buffer>, DeviceError>;

    /// Replaces all bytes by those of a buffer of as many on the same device.
    fn copy_from(&self, other: &dyn Buffer) -> Result<(), DeviceError>;

    /// The `len` bytes from `start` on, which keep the whole alive.
    fn part(self: Arc<Self>, start: usize, len: usize) -> Arc<dyn Buffer>;

    /// Replaces all bytes by as many of the host.
    fn upload(&self, bytes: &[u8]) -> Result<(), DeviceError>;

    /// Copies all bytes to as many of the host, after everything that was asked of the device.
    fn download(&self, bytes: &mut [u8]) -> Result<(), DeviceError>;
}

/// A sequence of launches that a device replays as one.
pub(crate) trait Graph: Send {
    /// Runs the launches in their order. They are the same at every call, but for where their arrays lie.
    fn replay(&mut self, launches: &[KernelLaunch<'_>]) -> Result<(), DeviceError>;
}

/// A start from which the time of a device counts.
pub(crate) trait Timer: Send + Sync {
    /// The time from the start to what was asked of the device last; waits for that.
    fn elapsed(&self) -> Result<Duration, DeviceError>;
}

/// A device of a backend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DeviceId {
    pub(crate) backend: &'static str,
    pub(crate) ordinal: usize,
}

/// As in "on CUDA device 0".
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

/// An argument of a launch.
#[cfg_attr(not(feature = "cuda"), expect(dead_code, reason = "accelerators read it, and this build has none"))]
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

    /// Checks that arrays are as long as every thread needs them: an accelerator would go beyond their ends.
    ///
    /// # Errors
    /// `TooShort` for an array that is shorter than the launch.
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

/// Copies a buffer that has several owners, so that this one can write to it.
pub(crate) fn make_unique(buffer: &mut Arc<dyn Buffer>) -> Result<(), DeviceError> {
    if Arc::strong_count(buffer) > 1 {
        *buffer = buffer.try_clone()?;
    }
    Ok(())
}
