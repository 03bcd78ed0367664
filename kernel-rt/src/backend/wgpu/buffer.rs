//! Device memory.

use super::error::{BACKEND, failed};
use super::gpu::Gpu;
use crate::backend::accelerator;
use crate::error::DeviceError;
use std::any::Any;
use std::ops::Range;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};

/// The alignment of copies in bytes.
const ALIGN: usize = wgpu::COPY_BUFFER_ALIGNMENT as usize;

/// Bytes on a device: a buffer, or a part of one. A clone is the same memory.
#[derive(Clone)]
pub(super) struct Buffer {
    gpu: Arc<Gpu>,
    pub(super) raw: wgpu::Buffer,
    pub(super) start: usize,
    len: usize,
}

impl Buffer {
    /// Memory of `len` zeros.
    pub(super) fn zeros(gpu: &Arc<Gpu>, len: usize) -> Result<Buffer, DeviceError> {
        let size = padded(len);
        let limits = gpu.device.limits();
        let limit = limits.max_buffer_size.min(limits.max_storage_buffer_binding_size);
        if size as u64 > limit {
            let what = "bytes of an array";
            return Err(DeviceError::Limit { backend: BACKEND, what, needed: size as u64, limit });
        }
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
        let descriptor = wgpu::BufferDescriptor { label: None, size: size as u64, usage, mapped_at_creation: false };
        let raw = gpu.device.create_buffer(&descriptor);
        gpu.check("create_buffer")?;
        Ok(Buffer { gpu: Arc::clone(gpu), raw, start: 0, len })
    }

    /// The buffer behind the trait object.
    pub(super) fn of(buffer: &dyn accelerator::Buffer) -> &Buffer {
        let buffer: &dyn Any = buffer;
        buffer.downcast_ref().expect("a device gets only its own buffers")
    }

    /// The bytes with the padding up to whole words. The padding of a part belongs to its neighbour.
    fn words(&self) -> Range<usize> {
        self.start / ALIGN * ALIGN..(self.start + self.len).next_multiple_of(ALIGN)
    }

    /// The number of bytes of a binding.
    pub(super) fn bound_len(&self) -> usize {
        padded(self.len)
    }

    /// Whether the part begins and ends at whole words, so that the device can copy it.
    pub(super) fn is_aligned(&self) -> bool {
        self.start.is_multiple_of(ALIGN) && (self.len.is_multiple_of(ALIGN) || self.start == 0)
    }

    /// The bytes of whole words.
    fn download_words(&self) -> Result<Vec<u8>, DeviceError> {
        let words = self.words();
        if words.is_empty() {
            return Ok(Vec::new());
        }
        read(&self.gpu, &self.raw, words.start as u64..words.end as u64)
    }

    fn copy(&self, from: &Buffer) -> Result<(), DeviceError> {
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        from.record_copy(self, &mut encoder);
        self.gpu.queue.submit([encoder.finish()]);
        self.gpu.check("copy_buffer_to_buffer")
    }

    /// Records a copy of all bytes to a buffer of the same length.
    pub(super) fn record_copy(&self, to: &Buffer, encoder: &mut wgpu::CommandEncoder) {
        let size = self.len.next_multiple_of(ALIGN) as u64;
        encoder.copy_buffer_to_buffer(&self.raw, self.start as u64, &to.raw, to.start as u64, size);
    }
}

/// The size of a buffer for `len` bytes. No binding is empty, and each has the size of the largest scalar at least.
fn padded(len: usize) -> usize {
    len.next_multiple_of(ALIGN).max(16)
}

/// Bytes of a buffer, through a staging buffer. Waits for all earlier work.
pub(super) fn read(gpu: &Arc<Gpu>, buffer: &wgpu::Buffer, bytes: Range<u64>) -> Result<Vec<u8>, DeviceError> {
    Staged::start(gpu, buffer, bytes).wait()
}

/// A copy to a staging buffer that the host can read.
struct Staged {
    gpu: Arc<Gpu>,
    staging: wgpu::Buffer,
    mapped: Receiver<Result<(), wgpu::BufferAsyncError>>,
}

impl Staged {
    fn start(gpu: &Arc<Gpu>, buffer: &wgpu::Buffer, bytes: Range<u64>) -> Staged {
        let size = bytes.end - bytes.start;
        let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
        let descriptor = wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false };
        let staging = gpu.device.create_buffer(&descriptor);
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.copy_buffer_to_buffer(buffer, bytes.start, &staging, 0, size);
        gpu.queue.submit([encoder.finish()]);
        let (sender, mapped) = channel();
        staging.slice(..).map_async(wgpu::MapMode::Read, move |result| {
            // Nobody may be waiting any more.
            let _ = sender.send(result);
        });
        Staged { gpu: Arc::clone(gpu), staging, mapped }
    }

    fn wait(self) -> Result<Vec<u8>, DeviceError> {
        self.gpu.wait()?;
        self.mapped.recv().map_err(failed("map_async"))?.map_err(failed("map_async"))?;
        let bytes = self.staging.slice(..).get_mapped_range().map_err(failed("get_mapped_range"))?;
        Ok(bytes.to_vec())
    }
}

/// A copy of a buffer, which may begin inside a word.
struct Download {
    /// `None` for a buffer of no bytes.
    staged: Option<Staged>,
    /// The bytes of the buffer among those of its words.
    part: Range<usize>,
}

impl accelerator::PendingCopy for Download {
    fn wait(self: Box<Self>) -> Result<Vec<u8>, DeviceError> {
        let words = self.staged.map_or_else(|| Ok(Vec::new()), Staged::wait)?;
        Ok(words[self.part].to_vec())
    }
}

impl accelerator::Buffer for Buffer {
    fn len(&self) -> usize {
        self.len
    }

    #[cfg(feature = "dlpack")]
    fn address(&self) -> u64 {
        // Memory of this backend has no address for other libraries.
        0
    }

    fn is_read_only(&self) -> bool {
        false
    }

    fn try_clone(&self) -> Result<Arc<dyn accelerator::Buffer>, DeviceError> {
        let copy = Buffer::zeros(&self.gpu, self.len)?;
        copy.copy_from(self)?;
        Ok(Arc::new(copy))
    }

    fn copy_from(&self, other: &dyn accelerator::Buffer) -> Result<(), DeviceError> {
        let other = Buffer::of(other);
        if self.len == 0 {
            return Ok(());
        }
        let is_whole =
            self.len.is_multiple_of(ALIGN) || (self.start == 0 && self.raw.size() as usize == padded(self.len));
        if self.raw == other.raw || !is_whole || !self.start.is_multiple_of(ALIGN) || !other.is_aligned() {
            let mut bytes = vec![0; self.len];
            other.download(&mut bytes)?;
            return self.upload(&bytes);
        }
        self.copy(other)
    }

    fn part(self: Arc<Self>, start: usize, len: usize) -> Arc<dyn accelerator::Buffer> {
        Arc::new(Buffer { gpu: Arc::clone(&self.gpu), raw: self.raw.clone(), start: self.start + start, len })
    }

    fn upload(&self, bytes: &[u8]) -> Result<(), DeviceError> {
        let words = self.words();
        if words.is_empty() {
            return Ok(());
        }
        if words == (self.start..self.start + self.len) {
            self.gpu.queue.write_buffer(&self.raw, self.start as u64, bytes);
        } else if self.start == 0 && self.raw.size() as usize == padded(self.len) {
            let mut words = bytes.to_vec();
            words.resize(bytes.len().next_multiple_of(ALIGN), 0);
            self.gpu.queue.write_buffer(&self.raw, 0, &words);
        } else {
            // The padding may belong to a neighbour.
            let mut padded = self.download_words()?;
            let first = self.start - words.start;
            padded[first..first + self.len].copy_from_slice(bytes);
            self.gpu.queue.write_buffer(&self.raw, words.start as u64, &padded);
        }
        self.gpu.check("write_buffer")
    }

    fn download(&self, bytes: &mut [u8]) -> Result<(), DeviceError> {
        bytes.copy_from_slice(&self.start_download()?.wait()?);
        Ok(())
    }

    fn start_download(&self) -> Result<Box<dyn accelerator::PendingCopy>, DeviceError> {
        let words = self.words();
        let first = self.start - words.start;
        let start = || Staged::start(&self.gpu, &self.raw, words.start as u64..words.end as u64);
        let staged = (!words.is_empty()).then(start);
        self.gpu.check("copy_buffer_to_buffer")?;
        Ok(Box::new(Download { staged, part: first..first + self.len }))
    }
}
