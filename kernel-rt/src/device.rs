//! Devices: what runs kernels and holds arrays.

use crate::backend::{self, Accelerator, Checks};
use crate::error::DeviceError;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// What runs kernels and holds arrays. A cheap handle: clones stand for the same device.
///
/// On an accelerator, launches are in the order of the calls, and the calls return before the device is done; what reads
/// results waits. An error inside a kernel shows at the next call that waits. [`Device::stream`] gives launches that may
/// run beside each other.
#[derive(Clone, Debug)]
pub struct Device {
    /// `None` for the CPU.
    accelerator: Option<Arc<dyn Accelerator>>,
    checks: Checks,
}

/// A start from which the time of a device counts.
///
/// On an accelerator it is the device's own clock, between what was asked of it before and after; on the CPU it is the
/// time that passes.
pub struct Timer(Box<dyn backend::Timer>);

impl Device {
    /// The host's processor. All its handles stand for one device.
    pub fn cpu() -> Device {
        Device { accelerator: None, checks: Checks::Off }
    }

    /// The CUDA device of that number; 0 is the first. All its handles stand for one device.
    ///
    /// # Errors
    /// This build has no CUDA support, the driver or NVRTC is not installed, or there is no such device.
    pub fn cuda(ordinal: usize) -> Result<Device, DeviceError> {
        Ok(Device { accelerator: Some(backend::open("CUDA", ordinal)?), checks: Checks::Off })
    }

    /// The same device with bounds-checked launches: an index out of bounds, or a NaN that is stored, is an error that names
    /// kernel, parameter, thread and index, and no memory outside of arrays is touched. The launch itself goes on, and what it
    /// leaves in the arrays has no meaning. Each such launch waits for its end, so it is for finding mistakes.
    ///
    /// A [`Tape`](crate::Tape) on such a device also finds gradients that are in doubt; see its module.
    ///
    /// The CPU checks indices in any case, and nothing else of a launch. Launches in a [`Graph`](crate::Graph) are not checked.
    #[must_use]
    pub fn bounds_checked(&self) -> Device {
        Device { accelerator: self.accelerator.clone(), checks: Checks::On }
    }

    /// Another stream of the same device: what is launched on it may run at the same time as what is launched on others.
    ///
    /// An array belongs to the stream that made it. Any stream can use it: a launch that takes an array of another stream
    /// waits for what was asked of that stream before, and what is asked of that stream afterwards waits for the launch. So
    /// results are those of the order of the calls, whatever runs at the same time; launches run side by side where each
    /// takes arrays of its own stream only. A [`Graph`](crate::Graph), a [`Tape`](crate::Tape) and a [`Timer`] are of the stream they are
    /// made for, and [`Device::synchronize`] waits for that alone.
    ///
    /// The CPU has one stream, which is returned.
    ///
    /// # Errors
    /// The device fails; never on the CPU.
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

    /// What the device is called, for people.
    pub fn name(&self) -> String {
        self.accelerator().map_or_else(|| "CPU".to_owned(), |accelerator| accelerator.name())
    }

    /// Waits until everything that was asked of this stream of the device is done.
    ///
    /// # Errors
    /// A kernel has failed; never on the CPU.
    pub fn synchronize(&self) -> Result<(), DeviceError> {
        self.accelerator().map_or(Ok(()), |accelerator| accelerator.synchronize())
    }

    /// Starts a timer.
    ///
    /// # Errors
    /// The device fails; never on the CPU.
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

    /// Waits until no launch is put together for this device, and keeps others waiting as long as the guard lives: the
    /// launches on a device happen one after the other.
    pub(crate) fn queue(&self) -> MutexGuard<'_, ()> {
        static CPU: Mutex<()> = Mutex::new(());
        let queue = self.accelerator().map_or(&CPU, |accelerator| accelerator.queue());
        // Nothing is guarded that a panic could leave half done.
        queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether both stand for one device, with checks or without, on whatever stream.
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

/// As in "on the CPU".
impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.accelerator() {
            None => f.write_str("the CPU"),
            Some(accelerator) => accelerator.id().fmt(f),
        }
    }
}

impl Timer {
    /// The time since the start; waits for what was asked of the device up to now.
    ///
    /// # Errors
    /// The device fails; never on the CPU.
    pub fn elapsed(&self) -> Result<Duration, DeviceError> {
        self.0.elapsed()
    }
}
