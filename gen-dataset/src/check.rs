//! How a record is proven again: what it says of itself is derived anew, and its example is executed anew.

use crate::cli::Device;
use crate::compare::agreement;
use crate::facts::Facts;
use crate::make::{run_cpu, run_interpreter};
use crate::panics;
use crate::record::{GENERATOR_VERSION, Record, id, skeleton_id, structure_hash};
use crate::source::read_kernel;
use kernel_ir::back::c::entry_name;
use kernel_ir::check::CheckedKernel;
use kernel_ir::data::Arg;
use kernel_ir::text;
use kernel_rt::KernelInfo;

/// What came of one check of one record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It holds.
    Passed,
    /// It does not, and why.
    Failed(String),
    /// It could not be made, or an earlier one failed.
    Skipped,
}

impl Outcome {
    fn of(result: Result<(), String>) -> Outcome {
        match result {
            Ok(()) => Outcome::Passed,
            Err(why) => Outcome::Failed(why),
        }
    }
}

/// What came of the checks of one record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Verdict {
    /// Whether the fields agree with each other.
    pub(crate) structure: Outcome,
    /// Whether the interpreter computes the recorded outputs, bit for bit.
    pub(crate) interpreter: Outcome,
    /// Whether the CPU version computes them; skipped for kernels that this program does not hold.
    pub(crate) cpu: Outcome,
}

impl Verdict {
    /// The verdict on something that is not a record at all.
    pub(crate) fn unreadable(why: String) -> Verdict {
        Verdict { structure: Outcome::Failed(why), interpreter: Outcome::Skipped, cpu: Outcome::Skipped }
    }
}

/// Checks `record`; `kernels` are those of the registry.
pub(crate) fn check(record: &Record, kernels: &[&'static KernelInfo]) -> Verdict {
    let kernel = match structure(record) {
        Ok(kernel) => kernel,
        Err(why) => return Verdict::unreadable(why),
    };
    let launch = record.example.inputs(&kernel).and_then(|inputs| {
        let outputs = record.example.outputs(&kernel, &inputs)?;
        Ok((inputs, outputs))
    });
    let (inputs, outputs) = match launch {
        Ok(launch) => launch,
        Err(why) => return Verdict::unreadable(why),
    };
    let registered = kernels.iter().find(|info| info.name == kernel.name && info.ir == record.ir);
    Verdict {
        structure: Outcome::Passed,
        interpreter: Outcome::of(interpreter(record, &kernel, &inputs, &outputs)),
        cpu: match registered {
            Some(info) => Outcome::of(cpu(record, &kernel, info, &inputs, &outputs)),
            None => Outcome::Skipped,
        },
    }
}

/// Derives what the record says of itself anew; the kernel, if all of it holds.
fn structure(record: &Record) -> Result<CheckedKernel, String> {
    let metadata = &record.metadata;
    let kernel = read_kernel(&record.ir)?;
    let facts = Facts::of(&kernel);
    let has = |text: &str| !text.trim().is_empty();
    let has_target = |text: &Option<String>, wanted: bool| match text {
        Some(text) => wanted && has(text),
        None => !wanted,
    };
    let entry = format!(".visible .entry {}(", entry_name(&kernel));
    let claims = [
        ("`ir` is not in its printed form", text::print(&kernel) == record.ir),
        (
            "`id` is not the hash of IR, seed and launch size",
            id(&record.ir, metadata.seed, &record.example.dim) == record.id,
        ),
        ("`hash` is not the hash of the structure", structure_hash(&kernel) == record.hash),
        ("`skeleton_id` is not the hash of the skeleton", skeleton_id(&kernel) == record.skeleton_id),
        ("`python_source` is empty", has(&record.python_source)),
        ("`rust_source` is empty", has(&record.rust_source)),
        ("`cpu_forward` does not fit the device", has_target(&record.cpu_forward, metadata.device != Device::Cuda)),
        ("`cuda_forward` does not fit the device", has_target(&record.cuda_forward, metadata.device != Device::Cpu)),
        ("`ptx` is not that of the kernel", record.ptx.as_ref().is_none_or(|ptx| ptx.contains(&entry))),
        ("`kernel_name` is not that of the IR", metadata.kernel_name == kernel.name),
        ("`category` is not that of the IR", metadata.category == kernel.family),
        ("`origin` is unknown", ["registry", "synth"].contains(&metadata.origin.as_str())),
        ("`split` is unknown", record.split == "train"),
        ("`dim` is not that of the IR", metadata.dim == kernel.dim),
        ("the launch size does not fit the IR", record.example.dim.len() == usize::from(kernel.dim)),
        ("`features` are not those of the IR", metadata.features == facts.features),
        ("`statements` is not the count of the IR", metadata.statements == facts.statements),
        ("`operations` is not the count of the IR", metadata.operations == facts.operations),
        ("`signature` is not that of the IR", metadata.signature == facts.signature),
        ("`allowed_ulp` is not that of the IR", record.verification.allowed_ulp == facts.allowed_ulp),
        (
            "the verification claims a failure",
            record.verification.outputs_finite && record.verification.outputs_written,
        ),
    ];
    match claims.into_iter().find(|(_, holds)| !holds) {
        Some((wrong, _)) => Err(wrong.to_owned()),
        None => Ok(kernel),
    }
}

fn interpreter(record: &Record, kernel: &CheckedKernel, inputs: &[Arg], outputs: &[Arg]) -> Result<(), String> {
    let mut args = inputs.to_vec();
    panics::caught(|| run_interpreter(kernel, &record.example.dim, &mut args)).flatten()?;
    agreement(names(kernel), &args, outputs, 0).map(drop)
}

/// The texts and the CPU version of the kernel's entry in the registry, against those of the record.
fn cpu(
    record: &Record,
    kernel: &CheckedKernel,
    info: &KernelInfo,
    inputs: &[Arg],
    outputs: &[Arg],
) -> Result<(), String> {
    let texts = [
        ("python_source", Some(&record.python_source), info.python),
        ("rust_source", Some(&record.rust_source), info.rust_source),
        ("cpu_forward", record.cpu_forward.as_ref(), info.cpp_forward),
        ("cuda_forward", record.cuda_forward.as_ref(), info.cuda_forward),
    ];
    let changed = texts.iter().find(|(_, text, registered)| text.is_some_and(|text| text != registered));
    if let Some((name, ..)) = changed
        && record.generator_version == GENERATOR_VERSION
    {
        return Err(format!("`{name}` is not the text of the registered kernel"));
    }
    let mut args = inputs.to_vec();
    run_cpu(info, &record.example.dim, &mut args)?;
    let allowed = record.verification.allowed_ulp;
    agreement(names(kernel), &args, outputs, allowed).map(drop)
}

fn names(kernel: &CheckedKernel) -> impl Iterator<Item = &str> {
    kernel.params.iter().map(|param| param.name.as_str())
}
