//! Compiles the texts of kernels for a device.

use super::error::{BACKEND, failed};
use super::gpu::Gpu;
use super::pipeline::{Pipeline, is_written};
use super::translate::{capabilities, parse, to_spirv};
use crate::backend::accelerator::Checks;
use crate::backend::program::{Program, ProgramSource};
use crate::error::DeviceError;
use kernel_ir::analysis::grid_reductions;
use kernel_ir::back::wgsl::{self, Arguments, WORKGROUP};

/// Compiles the text of a program for a device. With checks, the fault record is the binding behind those of the arrays.
pub(super) fn compile(gpu: &Gpu, program: &Program, checks: Checks) -> Result<Pipeline, DeviceError> {
    let kernel = &program.kernel;
    let refused = |reason| DeviceError::Refused { backend: BACKEND, kernel: kernel.name.clone(), reason };
    let (text, arguments) = match checks {
        Checks::Off => (written(program), Arguments::of(kernel)),
        Checks::On => (wgsl::write_checked(kernel), Arguments::checked(kernel)),
    };
    let text = text.map_err(|why| refused(format!("WGSL has no {why}")))?;
    let mut bindings: Vec<bool> = arguments.arrays.iter().map(|id| is_written(program, *id)).collect();
    if checks == Checks::On {
        bindings.push(true);
    }
    let (needed, limit) = (bindings.len() as u64, gpu.device.limits().max_storage_buffers_per_shader_stage.into());
    if needed > limit {
        let what = match checks {
            Checks::Off => "arrays of a kernel",
            Checks::On => "arrays of a kernel and the record of its checks",
        };
        return Err(DeviceError::Limit { backend: BACKEND, what, needed, limit });
    }
    let rejected = |log| DeviceError::Compile { compiler: "naga", kernel: kernel.name.clone(), log };
    let (module, info) = parse(&text, capabilities()).map_err(rejected)?;
    if let Some(feature) = missing(gpu, &module) {
        return Err(refused(format!("the adapter `{}` has no {feature}", gpu.name)));
    }
    let entry = module.entry_points[0].name.clone();
    let shader = match gpu.has(wgpu::Features::PASSTHROUGH_SHADERS) {
        true => exact(gpu, &module, &info, &entry)?,
        false => gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(&kernel.name),
            source: wgpu::ShaderSource::Wgsl(text.into()),
        }),
    };
    let mut entries = vec![layout_entry(0, wgpu::BufferBindingType::Uniform)];
    for (is_written, binding) in bindings.into_iter().zip(1..) {
        let read_only = !is_written;
        entries.push(layout_entry(binding, wgpu::BufferBindingType::Storage { read_only }));
    }
    let layout =
        gpu.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: None, entries: &entries });
    let pipeline_layout = gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: None,
        bind_group_layouts: &[Some(&layout)],
        ..Default::default()
    });
    let compute = gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some(&kernel.name),
        layout: Some(&pipeline_layout),
        module: &shader,
        entry_point: Some(&entry),
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    });
    gpu.check("create_compute_pipeline")?;
    let is_our_text = !matches!(program.source, ProgramSource::Text(_));
    let strides = checks == Checks::Off && is_our_text && !grid_reductions(kernel).is_empty();
    Ok(Pipeline { arguments, compute, layout, strides })
}

/// The text of a program, which is written now if it has none in this language.
fn written(program: &Program) -> Result<String, String> {
    match &program.source {
        ProgramSource::Text(text) => Ok(text.clone()),
        ProgramSource::Registered(..) | ProgramSource::Runtime => wgsl::write(&program.kernel),
    }
}

fn layout_entry(binding: u32, ty: wgpu::BufferBindingType) -> wgpu::BindGroupLayoutEntry {
    let ty = wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None };
    wgpu::BindGroupLayoutEntry { binding, visibility: wgpu::ShaderStages::COMPUTE, ty, count: None }
}

/// What the module uses and the device lacks, for messages.
fn missing(gpu: &Gpu, module: &naga::Module) -> Option<&'static str> {
    use naga::{ScalarKind, TypeInner};
    let uses = |is_it: &dyn Fn(ScalarKind, bool) -> bool| {
        module.types.iter().any(|(_, ty)| match ty.inner {
            TypeInner::Scalar(scalar) | TypeInner::Vector { scalar, .. } => {
                scalar.width == 8 && is_it(scalar.kind, false)
            }
            TypeInner::Atomic(scalar) => scalar.width == 8 && is_it(scalar.kind, true),
            _ => false,
        })
    };
    let is_float = |kind| kind == ScalarKind::Float;
    let is_integer = |kind| matches!(kind, ScalarKind::Sint | ScalarKind::Uint);
    let needs = [
        (wgpu::Features::SHADER_F64, "numbers of type `f64`", uses(&|kind, _| is_float(kind))),
        (wgpu::Features::SHADER_INT64, "integers of 64 bits", uses(&|kind, _| is_integer(kind))),
        (
            wgpu::Features::SHADER_INT64_ATOMIC_ALL_OPS,
            "atomic operations on 64 bits",
            uses(&|kind, is_atomic| is_integer(kind) && is_atomic),
        ),
    ];
    needs.into_iter().find(|(feature, _, is_used)| *is_used && !gpu.has(*feature)).map(|(_, name, _)| name)
}

/// The module in SPIR-V whose arithmetic no driver reorders.
fn exact(
    gpu: &Gpu,
    module: &naga::Module,
    info: &naga::valid::ModuleInfo,
    entry: &str,
) -> Result<wgpu::ShaderModule, DeviceError> {
    let words = to_spirv(module, info).map_err(failed("spv::write_vec"))?;
    let descriptor = wgpu::ShaderModuleDescriptorPassthrough {
        label: None,
        entry_points: vec![wgpu::PassthroughShaderEntryPoint {
            name: entry.to_owned().into(),
            workgroup_size: (WORKGROUP, 1, 1),
        }]
        .into(),
        spirv: Some(words.into()),
        ..Default::default()
    };
    // SAFETY: `naga` has validated the module, and its writer restricts every index to the bounds of its array. The
    // decorations that are added change no meaning.
    Ok(unsafe { gpu.device.create_shader_module_passthrough(descriptor) })
}
