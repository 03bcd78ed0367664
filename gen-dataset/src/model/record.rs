//! The record: what one line of a dataset holds. This is the format on disk, with a version of its own.

use super::agreement::Agreement;
use super::device::Device;
use super::example::Example;
use super::launch::LAUNCHES;
use super::reason::Reason;
use super::target_texts::TargetTexts;
use kernel_ir::interp;
use kernel_ir::verify::VerifiedKernel;
use serde::{Deserialize, Serialize};

/// The version of the format: raised whenever a field changes its name, type or meaning.
pub(crate) const SCHEMA_VERSION: u32 = 5;

/// The oldest version that is read. Version 4 has `example` as an object in JSONL, and numbers by the mathematical library of
/// the system that it was written on.
pub(crate) const OLDEST_SCHEMA: u32 = 4;

/// The version of the program that writes it.
pub(crate) const GENERATOR_VERSION: &str = env!("CARGO_PKG_VERSION");

/// The origin of a kernel that was written by hand.
pub(crate) const REGISTRY: &str = "registry";

/// The origin of a kernel that was synthesised.
pub(crate) const SYNTH: &str = "synth";

/// One kernel in every language, with an example that was executed. The order of the fields is that of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Record {
    /// What `id` makes of the IR, the seed and the launch size.
    pub(crate) id: String,
    /// A complete NVIDIA Warp module.
    pub(crate) python_source: String,
    /// The function under `#[kernel]`.
    pub(crate) rust_source: String,
    /// The kernel and its adjoint in the language of each target: a field each, as `cuda_forward` and `cuda_backward`. It
    /// takes the fields that are not named here, and refuses those that no target has.
    #[serde(flatten)]
    pub(crate) targets: TargetTexts,
    /// What NVRTC makes of the CUDA text; only there if the run asked for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) ptx: Option<String>,
    /// A CUDA program of its own, which makes the launch of the example and says whether the outputs are the recorded ones;
    /// only there if the run asked for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) cuda_source: Option<String>,
    /// The text form of the IR.
    pub(crate) ir: String,
    /// A launch with its inputs and outputs, as JSON in a string.
    #[serde(with = "super::json_text")]
    pub(crate) example: Example,
    /// Further launches in the same form; only there if the run asked for more than one example.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "super::json_text")]
    pub(crate) more_examples: Vec<Example>,
    /// Where the kernel comes from and what it is made of.
    pub(crate) metadata: Metadata,
    /// What [`Verification::tier`] makes of what was checked.
    pub(crate) tier: u8,
    /// What was checked before the record was written.
    pub(crate) verification: Verification,
    /// What `structure_hash` makes of the IR: equal for kernels that differ in names alone.
    pub(crate) hash: String,
    /// What `skeleton_id` makes of the IR: equal for kernels that differ in names and constants alone.
    pub(crate) skeleton_id: String,
    /// The split that the record belongs to.
    pub(crate) split: String,
    /// [`SCHEMA_VERSION`].
    pub(crate) schema_version: u32,
    /// [`GENERATOR_VERSION`].
    pub(crate) generator_version: String,
}

/// Where a kernel comes from and what it is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Metadata {
    /// The author's name for it.
    pub(crate) kernel_name: String,
    /// Its family.
    pub(crate) category: String,
    /// Which target texts the record has.
    pub(crate) device: Device,
    /// The source that it comes from: `registry` or `synth`.
    pub(crate) origin: String,
    /// The seed of the run.
    pub(crate) seed: u64,
    /// Its place in the source.
    pub(crate) index: usize,
    /// How hard it was meant to be, 1 to 5; null for registered kernels.
    pub(crate) difficulty: Option<u8>,
    /// The number of launch axes.
    pub(crate) dim: u8,
    /// The constructs, operations and types that it uses, sorted.
    pub(crate) features: Vec<String>,
    /// How many statements it has.
    pub(crate) statements: usize,
    /// How many operations it has.
    pub(crate) operations: usize,
    /// Its parameters, as in Rust.
    pub(crate) signature: String,
    /// Whether Warp's own gradients of the Python text are right, as far as was measured; null if it was not.
    pub(crate) warp_gradient_reliable: Option<bool>,
}

/// What was checked before the record was written, with the result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Verification {
    /// The programs that took part, with their versions: this one, rustc if it compiled the kernel, NVRTC if there is PTX,
    /// the judges that took it if it was put before some.
    pub(crate) toolchains: Vec<String>,
    /// Whether the text form of the IR reads back to the same kernel.
    pub(crate) ir_reads_back: bool,
    /// Whether the front end reads the Rust text back to the same kernel; null if the kernel itself was made of that text, by
    /// rustc and the front end.
    pub(crate) rust_reads_back: Option<bool>,
    /// The sizes of the launches that were executed, those of the examples first.
    pub(crate) shapes: Vec<Vec<usize>>,
    /// Whether every output of all of them is finite.
    pub(crate) outputs_finite: bool,
    /// Whether the launches of the examples change an output.
    pub(crate) outputs_written: bool,
    /// What says how far results may be apart.
    pub(crate) tolerance_policy: TolerancePolicy,
    /// The largest of the tolerances of the outputs, in units in the last place; 0 if all must have the same bits.
    pub(crate) allowed_ulp: u64,
    /// The interpreter against itself, with poisoned outputs and threads in the opposite order.
    pub(crate) interpreter_again: Agreement,
    /// The interpreter against the CPU version that rustc compiled, with poisoned outputs; null if there is none.
    pub(crate) interpreter_vs_cpu: Option<Agreement>,
    /// The adjoint; null if there is none.
    pub(crate) adjoint: Option<AdjointCheck>,
}

impl Verification {
    /// How far the evidence goes: the number of the steps *parsed back*, *compiled*, *executed*, *adjoint proven* and *run
    /// on a GPU* that were made, up to the first that was not. Nothing that makes records runs them on a GPU.
    pub(crate) fn tier(&self) -> u8 {
        let parsed = self.ir_reads_back && self.rust_reads_back.unwrap_or(true);
        let compiled = !self.toolchains.is_empty();
        let executed = self.shapes.len() > LAUNCHES && self.outputs_finite && self.outputs_written;
        let steps = [parsed, compiled, executed, self.adjoint.is_some()];
        steps.iter().take_while(|step| **step).count() as u8
    }
}

/// What says how far two correct executions may be apart. `docs/judges.md` describes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TolerancePolicy {
    /// Not at all: all operations are exact, and the bits are the same.
    SameBits,
    /// As far as eight machines whose functions err by what the table of operations allows, for each number.
    EightMachines,
}

impl TolerancePolicy {
    /// That of the kernel.
    pub(crate) fn of(kernel: &VerifiedKernel) -> TolerancePolicy {
        if interp::is_exact(kernel) { TolerancePolicy::SameBits } else { TolerancePolicy::EightMachines }
    }
}

/// How the adjoint stands against other ways to find the derivative.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AdjointCheck {
    /// ⟨v, Jᵀ·w⟩ by the adjoint against ⟨J·v, w⟩ by dual numbers, for random v and the recorded w: the difference as a
    /// part of the sum of the sizes of the terms. Everything in f64.
    pub(crate) error_f64: f64,
    /// What that may be.
    pub(crate) bound_f64: f64,
    /// The same with the adjoint in the types that it declares.
    pub(crate) error_as_declared: f64,
    /// What that may be.
    pub(crate) bound_as_declared: f64,
    /// The largest of the tolerances of the gradients, in units in the last place; 0 if all must have the same bits.
    pub(crate) allowed_ulp: u64,
    /// How far the gradients move, in units in the last place of the largest component, where all operations round otherwise; null
    /// if the launch fails then.
    pub(crate) condition: Option<f64>,
    /// The interpreter against the CPU version of the adjoint; null if there is none.
    pub(crate) interpreter_vs_cpu: Option<Agreement>,
}

/// A kernel that no record could be made of, and why. `rejects.jsonl` keeps them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Reject {
    /// The author's name for it.
    pub(crate) kernel_name: String,
    /// Its family.
    pub(crate) category: String,
    /// The source that it comes from: `registry` or `synth`.
    pub(crate) origin: String,
    /// The seed of the run.
    pub(crate) seed: u64,
    /// Its place in the source.
    pub(crate) index: usize,
    /// What failed.
    pub(crate) reason: Reason,
    /// What happened there, as a sentence.
    pub(crate) detail: String,
}

impl AdjointCheck {
    /// The worse of both in each respect.
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
    /// All examples, the first one first.
    pub(crate) fn examples(&self) -> impl Iterator<Item = &Example> {
        std::iter::once(&self.example).chain(&self.more_examples)
    }

    /// The texts by the names of their fields.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&'static str, Option<&str>)> {
        let sources = [("python_source", Some(&*self.python_source)), ("rust_source", Some(&*self.rust_source))];
        let others =
            [("ptx", self.ptx.as_deref()), ("cuda_source", self.cuda_source.as_deref()), ("ir", Some(&*self.ir))];
        sources.into_iter().chain(self.targets.fields()).chain(others)
    }
}

impl Reject {
    /// The reject that `record` becomes.
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
