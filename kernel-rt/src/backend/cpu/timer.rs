//! Time on the CPU: every call waits for its end, so it is the time that passes.

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
