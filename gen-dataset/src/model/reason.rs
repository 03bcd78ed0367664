//! Why no record is made of a kernel.

use serde::{Deserialize, Serialize};

/// What failed when a record was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Reason {
    /// The family has a kernel of that name already.
    Duplicate,
    /// A text of it is missing.
    TextMissing,
    /// The IR cannot be read, or breaks a rule.
    IrInvalid,
    /// No inputs can be drawn.
    NoInputs,
    /// The interpreter met an error of the program.
    Fault,
    /// The CPU version refused the launch or panicked.
    CpuFailed,
    /// An output is infinite or NaN.
    NotFinite,
    /// No launch that was tried changes an output.
    NothingWritten,
    /// Interpreter and CPU version disagree.
    Mismatch,
    /// The kernel has no exact adjoint, and is not marked so.
    AdjointRefused,
    /// The adjoint meets an error.
    AdjointFault,
    /// The gradient is 0 by convention, where it may have another limit.
    ComputedZero,
    /// The adjoint disagrees with dual numbers.
    AdjointMismatch,
    /// NVRTC does not take the CUDA text.
    PtxFailed,
    /// A judge does not take a text, or computes something else.
    JudgeRefused,
    /// What makes a synthesised kernel one of its family is gone: nothing reads it.
    OffFamily,
    /// An output is the same everywhere.
    ConstantOutput,
    /// An input changes no output.
    DeadInput,
    /// The launch is ill-conditioned: a result depends on the last digits of a function, or a gradient on those of a rounding.
    IllConditioned,
    /// A result depends on the order of the threads.
    OrderDependent,
    /// The text does not read back to the same IR.
    NotReadBack,
    /// The generator itself failed.
    GeneratorFailed,
    /// Another record is the same kernel.
    SameKernel,
    /// Enough records have this skeleton.
    CommonSkeleton,
    /// Another record is nearly the same text.
    NearDuplicate,
    /// It belongs with records of two splits.
    BetweenSplits,
    /// It shares a run of tokens or its skeleton with a benchmark.
    Contaminated,
}

/// Why no record can be made: what failed, and what happened there.
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
