//! The timer of the CPU. Every call blocks until its end, so wall-clock time measures the work.

use crate::backend::accelerator::Timer;
use crate::error::DeviceError;
use std::time::{Duration, Instant};

/// Starts a timer.
pub(crate) fn timer() -> Box<dyn Timer> {
    Box::new(Instant::now())
}

impl Timer for Instant {
    fn elapsed(&self) -> Result<Duration, DeviceError> {
        Ok(Instant::elapsed(self))
    }
}
