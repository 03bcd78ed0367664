//! Kernel launches.

use super::buffer::Buffer;
use super::compile::compile;
use super::error::BACKEND;
use super::gpu::Gpu;
use super::pipeline::{Pipeline, is_written};
use crate::array::{Bits, volume};
use crate::backend::accelerator::{Buffer as _, Checks, KernelArg, KernelLaunch};
use crate::backend::fault;
use crate::error::{DeviceError, LaunchError};
use half::{bf16, f16};
use kernel_ir::back::Fault;
use kernel_ir::back::wgsl::{ArgumentField, ArgumentSource, WORKGROUP};
use kernel_ir::ir::{ParamId, Scalar, Type};
use std::sync::Arc;

/// Runs a launch. With checks, waits for the end and returns the recorded fault.
pub(super) fn launch(gpu: &Arc<Gpu>, launch: &KernelLaunch<'_>, checks: Checks) -> Result<(), LaunchError> {
    let failure = |error| LaunchError::Device { kernel: launch.program.name, error };
    let record = match checks {
        Checks::Off => None,
        Checks::On => Some(Buffer::zeros(gpu, Fault::SHORT_WORDS * size_of::<u32>()).map_err(failure)?),
    };
    let Some(ready) = Ready::new(gpu, launch, record.as_ref()).map_err(failure)? else { return Ok(()) };
    submit(gpu, std::slice::from_ref(&ready)).map_err(failure)?;
    let Some(record) = record else { return Ok(()) };
    let mut words = [0_u32; Fault::SHORT_WORDS];
    record.download(bytemuck::cast_slice_mut(&mut words)).map_err(failure)?;
    fault::look(launch.program, Fault::from_short_words(words), launch.dim.len())
}

/// Runs launches in order, as one submission.
pub(super) fn submit(gpu: &Gpu, launches: &[Ready]) -> Result<(), DeviceError> {
    let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    launches.iter().for_each(|ready| ready.record(&mut encoder));
    gpu.queue.submit([encoder.finish()]);
    gpu.check("submit")
}

/// A launch with all that a command buffer needs. It keeps its arrays alive.
pub(super) struct Ready {
    pipeline: Arc<Pipeline>,
    bind_group: wgpu::BindGroup,
    groups: [u32; 2],
    arrays: Vec<Bound>,
}

impl Ready {
    /// Prepares a launch; `None` if it has no threads. Checked launches write to the record `faults`.
    pub(super) fn new(
        gpu: &Arc<Gpu>,
        launch: &KernelLaunch<'_>,
        faults: Option<&Buffer>,
    ) -> Result<Option<Ready>, DeviceError> {
        let threads = volume(launch.dim).unwrap_or(usize::MAX);
        if threads == 0 {
            return Ok(None);
        }
        let checks = if faults.is_some() { Checks::On } else { Checks::Off };
        let pipeline = gpu.pipelines.get(launch.program, checks, || compile(gpu, launch.program, checks))?;
        let groups = groups(gpu, threads, pipeline.strides)?;
        let uniform = uniform(gpu, launch, &pipeline);
        let arrays = arrays(gpu, launch, &pipeline)?;
        let mut resources = vec![uniform.as_entire_binding()];
        resources.extend(arrays.iter().map(Bound::binding));
        resources.extend(faults.map(|record| record.raw.as_entire_binding()));
        let entries: Vec<wgpu::BindGroupEntry> =
            (0..).zip(resources).map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource }).collect();
        let descriptor = wgpu::BindGroupDescriptor { label: None, layout: &pipeline.layout, entries: &entries };
        let bind_group = gpu.device.create_bind_group(&descriptor);
        Ok(Some(Ready { pipeline, bind_group, groups, arrays }))
    }

    fn record(&self, encoder: &mut wgpu::CommandEncoder) {
        self.arrays.iter().for_each(|array| array.record_before(encoder));
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            pass.set_pipeline(&self.pipeline.compute);
            pass.set_bind_group(0, &self.bind_group, &[]);
            pass.dispatch_workgroups(self.groups[0], self.groups[1], 1);
        }
        self.arrays.iter().for_each(|array| array.record_after(encoder));
    }
}

/// The most workgroups of a kernel whose threads stride: about as many as the largest GPUs run at once. Each adds up sums at its
/// end.
const MOST_STRIDING: usize = 4096;

/// The numbers of workgroups along x and y. A thread computes its number from both.
fn groups(gpu: &Gpu, threads: usize, strides: bool) -> Result<[u32; 2], DeviceError> {
    let most = gpu.device.limits().max_compute_workgroups_per_dimension as usize;
    let needed = threads.div_ceil(WORKGROUP as usize);
    let all = if strides { needed.min(MOST_STRIDING) } else { needed };
    let rows = all.div_ceil(most);
    let columns = all.div_ceil(rows);
    // The numbers of threads have 32 bits, and so has that behind the last one, where a thread that strides ends.
    let dispatched = rows * columns * WORKGROUP as usize;
    let limit = u64::from(u32::MAX).min((most as u64).pow(2) * u64::from(WORKGROUP));
    let last = if strides { threads.saturating_add(dispatched) } else { dispatched };
    if last as u64 > limit {
        return Err(DeviceError::Limit {
            backend: BACKEND,
            what: "threads of a launch",
            needed: threads as u64,
            limit,
        });
    }
    Ok([u32::try_from(columns).unwrap_or(u32::MAX), u32::try_from(rows).unwrap_or(u32::MAX)])
}

/// The uniform buffer with the by-value arguments, the extents and the launch size.
fn uniform(gpu: &Gpu, launch: &KernelLaunch<'_>, pipeline: &Pipeline) -> wgpu::Buffer {
    let arguments = &pipeline.arguments;
    let mut bytes = vec![0; arguments.size];
    for field in &arguments.fields {
        let value = field_bytes(launch, field);
        bytes[field.offset..field.offset + value.len()].copy_from_slice(&value);
    }
    let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
    let size = bytes.len() as u64;
    let buffer =
        gpu.device.create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false });
    gpu.queue.write_buffer(&buffer, 0, &bytes);
    buffer
}

fn field_bytes(launch: &KernelLaunch<'_>, field: &ArgumentField) -> Vec<u8> {
    let index = |index: usize| u32::try_from(index).unwrap_or(u32::MAX).to_le_bytes().to_vec();
    let shape = |id: ParamId| match &launch.args[id.0 as usize] {
        KernelArg::Array { shape, .. } => *shape,
        KernelArg::Value(_) => unreachable!("arguments have the kinds of their parameters"),
    };
    match field.source {
        ArgumentSource::Dim(axis) => index(launch.dim[usize::from(axis)]),
        ArgumentSource::Extent(id, axis) => index(shape(id)[usize::from(axis)]),
        ArgumentSource::Present(id) => index(usize::from(!shape(id).contains(&0))),
        ArgumentSource::Value { param, first } => match &launch.args[param.0 as usize] {
            KernelArg::Value(Bits::Index(value)) => index(*value),
            KernelArg::Value(Bits::Plain(bytes)) => {
                let ty = launch.program.kernel.param(param).elem();
                let count = field.ty.components();
                scalars(ty, bytes).into_iter().skip(first).take(count).flatten().collect()
            }
            KernelArg::Array { .. } => unreachable!("arguments have the kinds of their parameters"),
        },
    }
}

/// The bytes of each scalar of a value, of at least 32 bits.
fn scalars(ty: Type, bytes: &[u8]) -> Vec<Vec<u8>> {
    let layout = ty.layout().map_or_else(Vec::new, |layout| layout.values);
    let mut found = Vec::new();
    for (offset, leaf) in layout {
        let size = leaf.scalar().bits().unwrap_or(32) as usize / 8;
        for number in 0..leaf.components() {
            let start = offset + number * size;
            found.push(extended(leaf.scalar(), &bytes[start..start + size]));
        }
    }
    found
}

/// The bytes of a scalar, extended to 32 bits.
fn extended(scalar: Scalar, bytes: &[u8]) -> Vec<u8> {
    match (scalar, bytes) {
        (Scalar::I8, [byte]) => i32::from(byte.cast_signed()).to_le_bytes().to_vec(),
        (Scalar::Bool | Scalar::U8, [byte]) => u32::from(*byte).to_le_bytes().to_vec(),
        (Scalar::I16, [low, high]) => i32::from(i16::from_le_bytes([*low, *high])).to_le_bytes().to_vec(),
        (Scalar::F16, [low, high]) => f16::from_le_bytes([*low, *high]).to_f32().to_le_bytes().to_vec(),
        (Scalar::BF16, [low, high]) => bf16::from_le_bytes([*low, *high]).to_f32().to_le_bytes().to_vec(),
        (Scalar::U16, [low, high]) => u32::from(u16::from_le_bytes([*low, *high])).to_le_bytes().to_vec(),
        _ => bytes.to_vec(),
    }
}

/// An array of a launch, and a copy of it in its place where the device cannot bind the array itself.
struct Bound {
    buffer: Buffer,
    copy: Option<Buffer>,
    is_written: bool,
}

impl Bound {
    fn binding(&self) -> wgpu::BindingResource<'_> {
        let buffer = self.copy.as_ref().unwrap_or(&self.buffer);
        wgpu::BindingResource::Buffer(wgpu::BufferBinding {
            buffer: &buffer.raw,
            offset: buffer.start as u64,
            size: std::num::NonZeroU64::new(buffer.bound_len() as u64),
        })
    }

    fn record_before(&self, encoder: &mut wgpu::CommandEncoder) {
        if let Some(copy) = self.copy.as_ref().filter(|_| self.buffer.len() > 0) {
            self.buffer.record_copy(copy, encoder);
        }
    }

    fn record_after(&self, encoder: &mut wgpu::CommandEncoder) {
        if let Some(copy) = self.copy.as_ref().filter(|_| self.is_written && self.buffer.len() > 0) {
            copy.record_copy(&self.buffer, encoder);
        }
    }
}

/// The arrays of a launch. A part that starts where no binding may, and parts of one buffer of which one is written, are
/// copied before the launch, and back behind it.
fn arrays(gpu: &Arc<Gpu>, launch: &KernelLaunch<'_>, pipeline: &Pipeline) -> Result<Vec<Bound>, DeviceError> {
    let mut arrays: Vec<Bound> = Vec::new();
    for id in &pipeline.arguments.arrays {
        let KernelArg::Array { buffer, .. } = &launch.args[id.0 as usize] else {
            unreachable!("arguments have the kinds of their parameters")
        };
        arrays.push(Bound {
            buffer: Buffer::of(*buffer).clone(),
            copy: None,
            is_written: is_written(launch.program, *id),
        });
    }
    let align = gpu.device.limits().min_storage_buffer_offset_alignment as usize;
    for place in 0..arrays.len() {
        let array = &arrays[place];
        let is_torn = |other: &Bound| other.buffer.raw == array.buffer.raw && (other.is_written || array.is_written);
        let is_shared = arrays.iter().enumerate().any(|(other, bound)| other != place && is_torn(bound));
        let ends = array.buffer.start + array.buffer.bound_len() > array.buffer.raw.size() as usize;
        if !is_shared && !ends && array.buffer.start.is_multiple_of(align) {
            continue;
        }
        if !array.buffer.is_aligned() {
            return Err(DeviceError::Limit {
                backend: BACKEND,
                what: "bytes before a part of an array, which must be a multiple of the limit",
                needed: array.buffer.start as u64,
                limit: wgpu::COPY_BUFFER_ALIGNMENT,
            });
        }
        arrays[place].copy = Some(Buffer::zeros(gpu, array.buffer.len())?);
    }
    Ok(arrays)
}
