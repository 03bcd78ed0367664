//! How long a device takes.

use super::{Device, DeviceError};
use crate::cuda;
use std::time::{Duration, Instant};

/// A start from which the time of a device counts.
///
/// On a CUDA device it is the device's own clock, between what was asked of it before and after; on the CPU it is the
/// time that passes.
pub struct Timer(Clock);

enum Clock {
    Cpu(Instant),
    Cuda(cuda::Timer),
}

impl Device {
    /// Starts a timer.
    ///
    /// # Errors
    /// The device fails. The CPU does not.
    pub fn timer(&self) -> Result<Timer, DeviceError> {
        Ok(Timer(match self.cuda_device() {
            None => Clock::Cpu(Instant::now()),
            Some(cuda) => Clock::Cuda(cuda::Timer::start(cuda)?),
        }))
    }
}

impl Timer {
    /// The time since the start; waits for what was asked of the device up to now.
    ///
    /// # Errors
    /// The device fails. The CPU does not.
    pub fn elapsed(&self) -> Result<Duration, DeviceError> {
        match &self.0 {
            Clock::Cpu(start) => Ok(start.elapsed()),
            Clock::Cuda(timer) => timer.elapsed(),
        }
    }
}
