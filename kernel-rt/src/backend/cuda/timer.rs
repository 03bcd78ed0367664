//! Timers between two points of a stream.

use super::error::failed;
use super::stream::Cuda;
use crate::backend::accelerator;
use crate::error::DeviceError;
use cudarc::driver::CudaEvent;
use cudarc::driver::sys::CUevent_flags;
use std::sync::Arc;
use std::time::Duration;

/// A timer: the event at the start.
pub(super) struct Timer {
    cuda: Arc<Cuda>,
    start: CudaEvent,
}

impl Timer {
    pub(super) fn start(cuda: &Arc<Cuda>) -> Result<Timer, DeviceError> {
        Ok(Timer { start: here(cuda)?, cuda: Arc::clone(cuda) })
    }
}

impl accelerator::Timer for Timer {
    fn elapsed(&self) -> Result<Duration, DeviceError> {
        let end = here(&self.cuda)?;
        end.synchronize().map_err(failed("cuEventSynchronize"))?;
        let milliseconds = self.start.elapsed_ms(&end).map_err(failed("cuEventElapsedTime"))?;
        Ok(Duration::from_secs_f64(f64::from(milliseconds.max(0.0)) / 1e3))
    }
}

/// Records an event at the end of the stream.
fn here(cuda: &Cuda) -> Result<CudaEvent, DeviceError> {
    let event = cuda.context.new_event(Some(CUevent_flags::CU_EVENT_DEFAULT)).map_err(failed("cuEventCreate"))?;
    event.record(&cuda.stream).map_err(failed("cuEventRecord"))?;
    Ok(event)
}
