//! Timers between two points of the queue.

use super::buffer::read;
use super::error::failed;
use super::gpu::{Gpu, TIMESTAMPS};
use crate::backend::accelerator;
use crate::error::DeviceError;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A running timer, of the device's clock if it has one.
pub(super) struct Timer {
    gpu: Arc<Gpu>,
    start: Start,
}

enum Start {
    /// The device has written the time of the start to the first place of this set.
    Device(wgpu::QuerySet),
    /// The device had done all work at this time.
    Host(Instant),
}

impl Timer {
    /// Starts a timer behind all earlier work.
    pub(super) fn start(gpu: &Arc<Gpu>) -> Result<Timer, DeviceError> {
        let start = if gpu.has(TIMESTAMPS) {
            let descriptor = wgpu::QuerySetDescriptor { label: None, ty: wgpu::QueryType::Timestamp, count: 2 };
            let set = gpu.device.create_query_set(&descriptor);
            let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            encoder.write_timestamp(&set, 0);
            gpu.queue.submit([encoder.finish()]);
            gpu.check("write_timestamp")?;
            Start::Device(set)
        } else {
            gpu.wait()?;
            Start::Host(Instant::now())
        };
        Ok(Timer { gpu: Arc::clone(gpu), start })
    }

    /// The ticks of the device's clock since the start.
    fn ticks(&self, set: &wgpu::QuerySet) -> Result<u64, DeviceError> {
        let size = 2 * u64::from(wgpu::QUERY_SIZE);
        let usage = wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC;
        let descriptor = wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false };
        let times = self.gpu.device.create_buffer(&descriptor);
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.write_timestamp(set, 1);
        encoder.resolve_query_set(set, 0..2, &times, 0);
        self.gpu.queue.submit([encoder.finish()]);
        let bytes = read(&self.gpu, &times, 0..size)?;
        let time = |at: usize| bytes[at..at + 8].iter().rev().fold(0_u64, |time, byte| (time << 8) | u64::from(*byte));
        Ok(time(8).saturating_sub(time(0)))
    }
}

impl accelerator::Timer for Timer {
    fn elapsed(&self) -> Result<Duration, DeviceError> {
        match &self.start {
            Start::Device(set) => {
                let nanoseconds = self.ticks(set)? as f64 * f64::from(self.gpu.queue.get_timestamp_period());
                Duration::try_from_secs_f64(nanoseconds / 1e9).map_err(failed("get_timestamp_period"))
            }
            Start::Host(start) => {
                self.gpu.wait()?;
                Ok(start.elapsed())
            }
        }
    }
}
