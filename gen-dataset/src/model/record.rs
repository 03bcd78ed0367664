//! The record: one row of the config `default`. These types are the format on disk, which has a version of its own.

use super::agreement::Agreement;
use super::arguments::Arguments;
use super::device::Device;
use super::example::Example;
use super::launch::LAUNCHES;
use super::reason::Reason;
use super::target_texts::TargetTexts;
use kernel_ir::interp;
use kernel_ir::verify::VerifiedKernel;
use serde::{Deserialize, Serialize};

/// The schema version. It is raised whenever a field changes its name, type or meaning.
pub(crate) const SCHEMA_VERSION: u32 = 7;

/// The oldest schema version that can be read. Version 4 has `example` as an object in JSONL, and numbers by the
/// system's math library. Versions 4 and 5 have no coverage, and compare gradients in the launches of the examples only.
pub(crate) const OLDEST_SCHEMA: u32 = 4;

/// The version of this program.
pub(crate) const GENERATOR_VERSION: &str = env!("CARGO_PKG_VERSION");

/// The origin of a hand-written kernel.
pub(crate) const REGISTRY: &str = "registry";

/// The origin of a synthesised kernel.
pub(crate) const SYNTH: &str = "synth";

/// One kernel in every language, with an executed example. Fields are serialised in this order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Record {
    /// The hash of the IR, the seed and the launch size; see `id`.
    pub(crate) id: String,
    /// A complete NVIDIA Warp module.
    pub(crate) python_source: String,
    /// The Rust function with its `#[kernel]` attribute.
    pub(crate) rust_source: String,
    /// The kernel and its adjoint in the language of each target, as fields such as `cuda_forward` and `cuda_backward`.
    /// Because it is flattened, it receives all fields that are not declared here; it rejects those that no target has.
    #[serde(flatten)]
    pub(crate) targets: TargetTexts,
    /// The PTX that NVRTC compiles from the CUDA text. Absent unless the run asked for PTX.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) ptx: Option<String>,
    /// A standalone CUDA program that makes the launch of the example and compares its outputs. Absent unless the run
    /// asked for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) cuda_source: Option<String>,
    /// The text form of the IR.
    pub(crate) ir: String,
    /// A launch with its inputs and outputs, as a JSON string.
    #[serde(with = "super::json_text")]
    pub(crate) example: Example,
    /// Further launches in the same form. Absent unless the run asked for more than one example.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "super::json_text")]
    pub(crate) more_examples: Vec<Example>,
    /// The origin and the facts of the kernel.
    pub(crate) metadata: Metadata,
    /// The level of evidence; see [`Verification::tier`].
    pub(crate) tier: u8,
    /// The checks that were made before the record was written.
    pub(crate) verification: Verification,
    /// The structure hash of the IR: equal for kernels that differ only in names.
    pub(crate) hash: String,
    /// The skeleton hash of the IR: equal for kernels that differ only in names and constants.
    pub(crate) skeleton_id: String,
    /// The split of the record.
    pub(crate) split: String,
    /// The [`SCHEMA_VERSION`] of the writer.
    pub(crate) schema_version: u32,
    /// The [`GENERATOR_VERSION`] of the writer.
    pub(crate) generator_version: String,
}

/// The origin and the facts of a kernel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Metadata {
    /// The name of the kernel.
    pub(crate) kernel_name: String,
    /// The family of the kernel.
    pub(crate) category: String,
    /// The targets whose texts the record has.
    pub(crate) device: Device,
    /// The source of the kernel: `registry` or `synth`.
    pub(crate) origin: String,
    /// The seed of the run.
    pub(crate) seed: u64,
    /// The index of the kernel in its source.
    pub(crate) index: usize,
    /// The intended difficulty, 1 to 5. Null for registered kernels.
    pub(crate) difficulty: Option<u8>,
    /// The number of launch axes.
    pub(crate) dim: u8,
    /// The constructs, operations and types in use, sorted.
    pub(crate) features: Vec<String>,
    /// The number of statements.
    pub(crate) statements: usize,
    /// The number of operations.
    pub(crate) operations: usize,
    /// The parameters in Rust syntax.
    pub(crate) signature: String,
    /// The arguments of the functions in the C++ and CUDA texts. Records of schema versions below 6 have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) arguments: Option<Arguments>,
    /// Whether Warp's own gradients of the Python text were right where they were measured. Null if they were not
    /// measured.
    pub(crate) warp_gradient_reliable: Option<bool>,
}

/// The checks that were made before the record was written, with their results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Verification {
    /// The toolchains that took part, with their versions: this program, rustc for a registered kernel, NVRTC if there
    /// is PTX, and the judges that accepted the record.
    pub(crate) toolchains: Vec<String>,
    /// Whether the text form of the IR reads back to the same kernel.
    pub(crate) ir_reads_back: bool,
    /// Whether the front end reads the Rust text back to the same kernel. Null for registered kernels, which rustc and
    /// the front end made of that text.
    pub(crate) rust_reads_back: Option<bool>,
    /// The sizes of the executed launches, those of the examples first.
    pub(crate) shapes: Vec<Vec<usize>>,
    /// Whether every output of every launch is finite.
    pub(crate) outputs_finite: bool,
    /// Whether the launches of the examples change an output.
    pub(crate) outputs_written: bool,
    /// The policy for tolerances.
    pub(crate) tolerance_policy: TolerancePolicy,
    /// The largest tolerance of an output, in units in the last place. 0 if all bits must match.
    pub(crate) allowed_ulp: u64,
    /// The interpreter against itself, with poisoned outputs and the threads in opposite order.
    pub(crate) interpreter_again: Agreement,
    /// The interpreter against the CPU version that rustc compiled, with poisoned outputs. Null if there is no CPU
    /// version.
    pub(crate) interpreter_vs_cpu: Option<Agreement>,
    /// The checks of the adjoint. Null if there is no adjoint.
    pub(crate) adjoint: Option<AdjointCheck>,
    /// The parts of kernel and adjoint that the launches have executed. Records of schema versions below 6 have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) coverage: Option<CoverageCheck>,
}

impl Verification {
    /// The level of evidence: the number of consecutive steps that were made, of *parsed back*, *compiled*, *executed*,
    /// *adjoint proven* and *run on a GPU*. Nothing that makes records runs them on a GPU.
    pub(crate) fn tier(&self) -> u8 {
        let parsed = self.ir_reads_back && self.rust_reads_back.unwrap_or(true);
        let compiled = !self.toolchains.is_empty();
        let executed = self.shapes.len() > LAUNCHES && self.outputs_finite && self.outputs_written;
        let steps = [parsed, compiled, executed, self.adjoint.is_some()];
        steps.iter().take_while(|step| **step).count() as u8
    }
}

/// The policy by which two correct executions may differ. `docs/judges.md` describes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TolerancePolicy {
    /// All operations are exact, so all bits must match.
    SameBits,
    /// Each number may differ by as much as in the perturbed models: eight whose functions err as the table of
    /// operations allows, and others that round otherwise.
    EightMachines,
}

impl TolerancePolicy {
    /// The policy for `kernel`.
    pub(crate) fn of(kernel: &VerifiedKernel) -> TolerancePolicy {
        if interp::is_exact(kernel) { TolerancePolicy::SameBits } else { TolerancePolicy::EightMachines }
    }
}

/// The adjoint, compared with other ways to compute the derivative.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AdjointCheck {
    /// The difference of ⟨v, Jᵀ·w⟩ by the adjoint and ⟨J·v, w⟩ by dual numbers, for random v and the recorded w,
    /// relative to the sum of the magnitudes of the terms. All computed in f64.
    pub(crate) error_f64: f64,
    /// The bound of `error_f64`.
    pub(crate) bound_f64: f64,
    /// The same error with the adjoint in its declared types.
    pub(crate) error_as_declared: f64,
    /// The bound of `error_as_declared`.
    pub(crate) bound_as_declared: f64,
    /// The largest tolerance of a gradient, in units in the last place. 0 if all bits must match.
    pub(crate) allowed_ulp: u64,
    /// The change of the gradients if all operations round differently, in units in the last place of the largest
    /// component. Null if that launch fails.
    pub(crate) condition: Option<f64>,
    /// The interpreter against the CPU version of the adjoint. Null if there is no such version.
    pub(crate) interpreter_vs_cpu: Option<Agreement>,
}

/// The errors of the gradients of a launch, as in [`AdjointCheck`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct AdjointErrors {
    pub(crate) error_f64: f64,
    pub(crate) error_as_declared: f64,
    pub(crate) interpreter_vs_cpu: Option<Agreement>,
}

impl AdjointErrors {
    /// The worst of the errors of two launches.
    pub(crate) fn and(self, other: AdjointErrors) -> AdjointErrors {
        AdjointErrors {
            error_f64: self.error_f64.max(other.error_f64),
            error_as_declared: self.error_as_declared.max(other.error_as_declared),
            interpreter_vs_cpu: worst(self.interpreter_vs_cpu, other.interpreter_vs_cpu),
        }
    }
}

/// The worst of two agreements, where a launch without a comparison has none.
fn worst(one: Option<Agreement>, other: Option<Agreement>) -> Option<Agreement> {
    one.into_iter().chain(other).reduce(Agreement::and)
}

/// The parts of a kernel and of its adjoint that the launches have executed, each as a number with the number of all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CoverageCheck {
    /// Statements of the kernel and of the functions that it calls.
    pub(crate) statements: [usize; 2],
    /// Sides of `if` statements.
    pub(crate) branches: [usize; 2],
    /// Elements of arrays that the kernel only writes. Those that it leaves out were not written in any launch.
    pub(crate) elements: [usize; 2],
    /// Statements of the adjoint. Null if there is no adjoint.
    pub(crate) adjoint_statements: Option<[usize; 2]>,
    /// Sides of `if` statements of the adjoint. Null if there is no adjoint.
    pub(crate) adjoint_branches: Option<[usize; 2]>,
    /// What no launch has shown: statements that no thread has executed, and gradients that were zero in all launches
    /// although the adjoint adds to them. Each is a sentence.
    pub(crate) missing: Vec<String>,
}

/// A rejected kernel with the reason. `rejects.jsonl` holds them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Reject {
    /// The name of the kernel.
    pub(crate) kernel_name: String,
    /// The family of the kernel.
    pub(crate) category: String,
    /// The source of the kernel: `registry` or `synth`.
    pub(crate) origin: String,
    /// The seed of the run.
    pub(crate) seed: u64,
    /// The index of the kernel in its source.
    pub(crate) index: usize,
    /// The check that failed.
    pub(crate) reason: Reason,
    /// The details, as a sentence.
    pub(crate) detail: String,
}

impl AdjointCheck {
    /// The check with the errors of another launch.
    pub(crate) fn with(self, errors: AdjointErrors) -> AdjointCheck {
        let AdjointErrors { error_f64, error_as_declared, interpreter_vs_cpu } = errors;
        AdjointCheck {
            error_f64: self.error_f64.max(error_f64),
            error_as_declared: self.error_as_declared.max(error_as_declared),
            interpreter_vs_cpu: worst(self.interpreter_vs_cpu, interpreter_vs_cpu),
            ..self
        }
    }

    /// The worst of two checks, field by field.
    pub(crate) fn and(self, other: AdjointCheck) -> AdjointCheck {
        AdjointCheck {
            error_f64: self.error_f64.max(other.error_f64),
            bound_f64: self.bound_f64.max(other.bound_f64),
            error_as_declared: self.error_as_declared.max(other.error_as_declared),
            bound_as_declared: self.bound_as_declared.max(other.bound_as_declared),
            allowed_ulp: self.allowed_ulp.max(other.allowed_ulp),
            condition: self.condition.zip(other.condition).map(|(one, another)| one.max(another)),
            interpreter_vs_cpu: self.interpreter_vs_cpu.zip(other.interpreter_vs_cpu).map(|(one, more)| one.and(more)),
        }
    }
}

impl Record {
    /// All examples, beginning with `example`.
    pub(crate) fn examples(&self) -> impl Iterator<Item = &Example> {
        std::iter::once(&self.example).chain(&self.more_examples)
    }

    /// The texts with the names of their fields.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&'static str, Option<&str>)> {
        let sources = [("python_source", Some(&*self.python_source)), ("rust_source", Some(&*self.rust_source))];
        let others =
            [("ptx", self.ptx.as_deref()), ("cuda_source", self.cuda_source.as_deref()), ("ir", Some(&*self.ir))];
        sources.into_iter().chain(self.targets.fields()).chain(others)
    }
}

impl Reject {
    /// The reject in place of `record`.
    pub(crate) fn of(record: &Record, reason: Reason, detail: String) -> Reject {
        let metadata = &record.metadata;
        Reject {
            kernel_name: metadata.kernel_name.clone(),
            category: metadata.category.clone(),
            origin: metadata.origin.clone(),
            seed: metadata.seed,
            index: metadata.index,
            reason,
            detail,
        }
    }
}
