//! Translates texts in WGSL to the languages of GPU interfaces, by `naga`.

use super::exact::with_exact_arithmetic;
use naga::proc::{BoundsCheckPolicies, BoundsCheckPolicy};
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{Module, ResourceBinding, back};

/// A language of a GPU interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShaderLanguage {
    /// SPIR-V 1.3 for Vulkan, in its binary form. Drivers may not reorder or contract its arithmetic.
    SpirV,
    /// The Metal Shading Language 3.0. Compile it without fast mathematics.
    Msl,
    /// HLSL for Direct3D 12, shader model 6.6. Compile it with `-Gis`, which keeps the order of floats.
    Hlsl,
}

impl ShaderLanguage {
    /// What texts may use of the features that not every GPU has.
    fn capabilities(self) -> Capabilities {
        let language = match self {
            ShaderLanguage::SpirV => back::spv::supported_capabilities(),
            ShaderLanguage::Msl => back::msl::supported_capabilities(),
            ShaderLanguage::Hlsl => back::hlsl::supported_capabilities(),
        };
        language & capabilities()
    }
}

/// What texts in WGSL may use.
pub(super) fn capabilities() -> Capabilities {
    Capabilities::FLOAT64
        | Capabilities::SHADER_INT64
        | Capabilities::SHADER_INT64_ATOMIC_ALL_OPS
        | Capabilities::SHADER_INT64_ATOMIC_MIN_MAX
}

/// Parses and validates a text in WGSL.
///
/// # Errors
/// The log of `naga`.
pub(super) fn parse(wgsl: &str, capabilities: Capabilities) -> Result<(Module, ModuleInfo), String> {
    let module = naga::front::wgsl::parse_str(wgsl).map_err(|error| error.emit_to_string(wgsl))?;
    let info = Validator::new(ValidationFlags::all(), capabilities)
        .validate(&module)
        .map_err(|error| error.emit_to_string(wgsl))?;
    Ok((module, info))
}

/// Translates the text of a kernel, as [`wgsl::write`](kernel_ir::back::wgsl::write) returns it.
///
/// The bindings keep their numbers: in SPIR-V as bindings of descriptor set 0, in Metal as `[[buffer(n)]]`, in HLSL as the
/// registers `b0`, `tn` of arrays that are only read, and `un` of the others. In Metal, the buffer behind those of the arrays
/// has the bytes of each array, in 32 bits.
///
/// # Errors
/// The text is no valid WGSL, or the language lacks what it uses, such as `f64` in Metal; the reason.
pub fn translate_wgsl(wgsl: &str, language: ShaderLanguage) -> Result<Vec<u8>, String> {
    let (module, info) = parse(wgsl, language.capabilities())?;
    match language {
        ShaderLanguage::SpirV => Ok(to_spirv(&module, &info)?.into_iter().flat_map(u32::to_le_bytes).collect()),
        ShaderLanguage::Msl => to_msl(&module, &info).map(String::into_bytes),
        ShaderLanguage::Hlsl => to_hlsl(&module, &info).map(String::into_bytes),
    }
}

/// The module in SPIR-V whose arithmetic no driver reorders, and whose indices are restricted to the bounds of arrays.
pub(super) fn to_spirv(module: &Module, info: &ModuleInfo) -> Result<Vec<u32>, String> {
    let mut options = back::spv::Options {
        lang_version: (1, 3),
        bounds_check_policies: BoundsCheckPolicies {
            index: BoundsCheckPolicy::Restrict,
            buffer: BoundsCheckPolicy::Restrict,
            ..Default::default()
        },
        ..Default::default()
    };
    options.flags.remove(back::spv::WriterFlags::ADJUST_COORDINATE_SPACE);
    let words = back::spv::write_vec(module, info, &options, None).map_err(|error| error.to_string())?;
    Ok(with_exact_arithmetic(&words))
}

/// The number of buffers of a function in Metal, of which the texts need one more than they have bindings.
const METAL_BUFFERS: u8 = 31;

fn to_msl(module: &Module, info: &ModuleInfo) -> Result<String, String> {
    use back::msl::{BindTarget, EntryPointResources, Options, PipelineOptions, write_string};
    let bindings = module.global_variables.iter().filter_map(|(_, variable)| variable.binding);
    let bindings: Vec<ResourceBinding> = bindings.collect();
    let count = u8::try_from(bindings.len()).ok().filter(|count| *count < METAL_BUFFERS);
    let Some(count) = count else {
        return Err(format!("Metal has {METAL_BUFFERS} buffers, and the text has {} bindings", bindings.len()));
    };
    let target = |binding: ResourceBinding| {
        let buffer = u8::try_from(binding.binding).ok();
        (binding, BindTarget { buffer, mutable: true, ..BindTarget::default() })
    };
    let resources = EntryPointResources {
        resources: bindings.into_iter().map(target).collect(),
        sizes_buffer: Some(count),
        ..EntryPointResources::default()
    };
    let options = Options {
        lang_version: (3, 0),
        per_entry_point_map: module.entry_points.iter().map(|entry| (entry.name.clone(), resources.clone())).collect(),
        fake_missing_bindings: false,
        force_loop_bounding: false,
        ..Options::default()
    };
    let (text, _) =
        write_string(module, info, &options, &PipelineOptions::default()).map_err(|error| error.to_string())?;
    Ok(text)
}

fn to_hlsl(module: &Module, info: &ModuleInfo) -> Result<String, String> {
    use back::hlsl::{Options, PipelineOptions, ShaderModel, Writer};
    let options = Options { shader_model: ShaderModel::V6_6, force_loop_bounding: false, ..Options::default() };
    let mut text = String::new();
    let pipeline = PipelineOptions::default();
    Writer::new(&mut text, &options, &pipeline).write(module, info, None).map_err(|error| error.to_string())?;
    Ok(text)
}
