//! The reasons for which a kernel is rejected.

use serde::{Deserialize, Serialize};

/// The reason for which a kernel is rejected. The names are part of the format of `rejects.jsonl`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Reason {
    /// Another kernel of the family has the same name.
    Duplicate,
    /// A text of the kernel is missing.
    TextMissing,
    /// The IR cannot be read, or breaks a rule.
    IrInvalid,
    /// No inputs can be drawn from the domains.
    NoInputs,
    /// The interpreter stopped at a run-time error.
    Fault,
    /// The CPU version refused the launch or panicked.
    CpuFailed,
    /// An output is infinite or NaN.
    NotFinite,
    /// None of the tried launches changes an output.
    NothingWritten,
    /// The interpreter and the CPU version disagree.
    Mismatch,
    /// The kernel has no exact adjoint, and is not marked `no_grad`.
    AdjointRefused,
    /// The adjoint stops at a run-time error.
    AdjointFault,
    /// A gradient is 0 by convention where it may have another limit.
    ComputedZero,
    /// The adjoint disagrees with dual numbers.
    AdjointMismatch,
    /// NVRTC rejects the CUDA text.
    PtxFailed,
    /// A judge rejects a text, or computes another result.
    JudgeRefused,
    /// Nothing reads the construct that makes a synthesised kernel one of its family.
    OffFamily,
    /// All elements of an output are equal.
    ConstantOutput,
    /// An input affects no output.
    DeadInput,
    /// The launch is ill-conditioned: a result depends on the last digits of a function, or a gradient on the rounding.
    IllConditioned,
    /// A result depends on the order of the threads.
    OrderDependent,
    /// No launch that was tried executes a statement, or moves a gradient from 0.
    NotCovered,
    /// The text does not read back to the same IR.
    NotReadBack,
    /// The generator panicked.
    GeneratorFailed,
    /// Another record is the same kernel up to names.
    SameKernel,
    /// The dataset has enough records with this skeleton.
    CommonSkeleton,
    /// The text of another record is nearly the same.
    NearDuplicate,
    /// The record belongs to two splits.
    BetweenSplits,
    /// The record shares a run of tokens or its skeleton with a benchmark.
    Contaminated,
}

/// The reason, and a sentence with the details.
pub(crate) type Failure = (Reason, String);

impl Reason {
    /// The name in records.
    pub(crate) fn name(self) -> String {
        serde_json::to_value(self).ok().and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_have_the_names_of_the_records() {
        assert_eq!(Reason::NotFinite.name(), "not_finite");
    }
}
