//! Devices, which run kernels and hold arrays.

use crate::backend::{self, Accelerator, Checks};
use crate::error::{BEST, DeviceError};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A device, which runs kernels and holds arrays. It is a cheap handle: clones denote the same device.
///
/// An accelerator executes launches in the order of the calls. The calls return before the work is done; a call that
/// reads results waits. An error inside a kernel appears at the next call that waits. [`Device::stream`] returns a
/// handle for concurrent launches.
#[derive(Clone, Debug)]
pub struct Device {
    /// `None` for the CPU.
    accelerator: Option<Arc<dyn Accelerator>>,
    checks: Checks,
}

/// A running timer of a device.
///
/// On an accelerator, it measures by device events between the calls before and after. On the CPU, it measures
/// wall-clock time.
pub struct Timer(Box<dyn backend::Timer>);

impl Device {
    /// The host CPU. All handles denote one device.
    pub fn cpu() -> Device {
        Device { accelerator: None, checks: Checks::Off }
    }

    /// The CUDA device with this ordinal; 0 is the first. All handles with one ordinal denote one device.
    ///
    /// # Errors
    /// [`DeviceError::NotBuilt`] without the feature `cuda`, [`DeviceError::MissingLibrary`] if the driver or NVRTC is
    /// not installed, [`DeviceError::NoSuchDevice`] if the ordinal is too large, [`DeviceError::Driver`] if the driver
    /// fails.
    pub fn cuda(ordinal: usize) -> Result<Device, DeviceError> {
        Ok(Device { accelerator: Some(backend::open("CUDA", ordinal)?), checks: Checks::Off })
    }

    /// The GPU that is likely the fastest, of any maker: a discrete one before an integrated one, and a driver in software
    /// last. It runs kernels in WGSL, through `wgpu`.
    ///
    /// # Errors
    /// Those of [`Device::wgpu`].
    pub fn gpu() -> Result<Device, DeviceError> {
        Ok(Device { accelerator: Some(backend::open("wgpu", BEST)?), checks: Checks::Off })
    }

    /// The adapter of `wgpu` with this ordinal; 0 is the first. All handles with one ordinal denote one device.
    ///
    /// A launch of a kernel that WGSL lacks the means for returns [`DeviceError::Refused`], and one beyond a limit of the
    /// adapter [`DeviceError::Limit`].
    ///
    /// # Errors
    /// [`DeviceError::NotBuilt`] without the feature `wgpu`, [`DeviceError::MissingLibrary`] if no driver has an adapter,
    /// [`DeviceError::NoSuchDevice`] if the ordinal is too large, [`DeviceError::Driver`] if the driver fails.
    pub fn wgpu(ordinal: usize) -> Result<Device, DeviceError> {
        Ok(Device { accelerator: Some(backend::open("wgpu", ordinal)?), checks: Checks::Off })
    }

    /// The same device with bounds-checked launches. If an index is out of bounds, or a kernel stores a NaN, the launch
    /// returns an error that names kernel, parameter, thread and index. No memory outside of arrays is accessed. The
    /// launch runs to its end after a fault, and leaves unspecified values in its arrays. Each launch blocks until its
    /// end, so this mode is for debugging.
    ///
    /// A [`Tape`](crate::Tape) on such a device also reports gradients that are in doubt; see its module.
    ///
    /// On the CPU, indices are always checked and stored NaNs never are. Launches in a [`Graph`](crate::Graph) are not
    /// checked.
    #[must_use]
    pub fn bounds_checked(&self) -> Device {
        Device { accelerator: self.accelerator.clone(), checks: Checks::On }
    }

    /// Another stream of the same device. Work on different streams may run concurrently.
    ///
    /// An array belongs to the stream that created it, and every stream can use it. A launch with an array of another
    /// stream waits for the earlier work of that stream, and later work of that stream waits for the launch. Results
    /// are therefore those of the order of the calls. Launches overlap only if each uses arrays of its own stream. A
    /// [`Graph`](crate::Graph), a [`Tape`](crate::Tape) and a [`Timer`] belong to the stream they are created for.
    /// [`Device::synchronize`] waits for one stream only.
    ///
    /// The CPU has one stream; the call returns it.
    ///
    /// # Errors
    /// [`DeviceError::Driver`] if the driver fails. The CPU returns no error.
    ///
    /// # Examples
    /// ```
    /// use kernel_rt::prelude::*;
    ///
    /// let device = Device::cpu();
    /// let side = device.stream()?;
    /// let ours = device.array_from(&[1.0f32, 2.0])?;
    /// // In the order of the calls, although the streams are two.
    /// let theirs = side.zeros::<f32>(2)?;
    /// theirs.copy_from(&ours)?;
    /// assert_eq!(theirs.to_vec()?, [1.0, 2.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn stream(&self) -> Result<Device, DeviceError> {
        let accelerator = self.accelerator().map(|accelerator| accelerator.stream()).transpose()?;
        Ok(Device { accelerator, checks: self.checks })
    }

    /// The name of the device, for display. That of an adapter names its interface, and says `in software` of a driver
    /// that runs on the CPU.
    pub fn name(&self) -> String {
        self.accelerator().map_or_else(|| "CPU".to_owned(), |accelerator| accelerator.name())
    }

    /// Waits for all earlier work on this stream.
    ///
    /// # Errors
    /// [`DeviceError::Driver`] if a kernel has failed. The CPU returns no error.
    pub fn synchronize(&self) -> Result<(), DeviceError> {
        self.accelerator().map_or(Ok(()), |accelerator| accelerator.synchronize())
    }

    /// Starts a timer on this stream.
    ///
    /// # Errors
    /// [`DeviceError::Driver`] if the driver fails. The CPU returns no error.
    pub fn timer(&self) -> Result<Timer, DeviceError> {
        self.accelerator().map_or_else(|| Ok(backend::cpu::timer()), |accelerator| accelerator.timer()).map(Timer)
    }

    /// The accelerator; `None` for the CPU.
    pub(crate) fn accelerator(&self) -> Option<&Arc<dyn Accelerator>> {
        self.accelerator.as_ref()
    }

    pub(crate) fn checks(&self) -> Checks {
        self.checks
    }

    /// Locks the launch queue of the device. Launches on a device are prepared one at a time, so that their order is
    /// that of the calls.
    pub(crate) fn queue(&self) -> MutexGuard<'_, ()> {
        static CPU: Mutex<()> = Mutex::new(());
        let queue = self.accelerator().map_or(&CPU, |accelerator| accelerator.queue());
        // The mutex guards no data, so a panic cannot leave it inconsistent.
        queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether both handles denote one device. Streams and checks do not matter.
impl PartialEq for Device {
    fn eq(&self, other: &Device) -> bool {
        match (self.accelerator(), other.accelerator()) {
            (None, None) => true,
            (Some(one), Some(other)) => one.id() == other.id(),
            _ => false,
        }
    }
}

impl Eq for Device {}

/// The device in a sentence, as in "on the CPU".
impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.accelerator() {
            None => f.write_str("the CPU"),
            Some(accelerator) => accelerator.id().fmt(f),
        }
    }
}

impl Timer {
    /// The time since the start. Waits for all earlier work on the stream.
    ///
    /// # Errors
    /// [`DeviceError::Driver`] if the driver fails. The CPU returns no error.
    pub fn elapsed(&self) -> Result<Duration, DeviceError> {
        self.0.elapsed()
    }
}
