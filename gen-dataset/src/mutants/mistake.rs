//! The mistakes that a mutant can have.

/// The kind of mistake in a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Mistake {
    /// A loop bound or a comparison of integers is off by one.
    Bound,
    /// An operand of a sum, product or extremum is missing, or a whole summand.
    DroppedTerm,
    /// A sign or the direction of an update is reversed.
    Sign,
    /// An atomic has become a plain load and store.
    MissingAtomic,
    /// An index is off by one, or is that of another axis or component.
    WrongIndex,
    /// Two adjacent arguments or indices, or the two branches of a select, are exchanged.
    SwappedArguments,
    /// A store is missing.
    StaleOutput,
    /// NaN is stored.
    NanOutput,
    /// A result is also stored in an input.
    OverwrittenInput,
    /// Zero is stored or added. In an adjoint, a gradient becomes zero.
    ZeroedValue,
}

impl Mistake {
    /// Every mistake.
    pub(crate) const ALL: [Mistake; 10] = [
        Mistake::Bound,
        Mistake::DroppedTerm,
        Mistake::Sign,
        Mistake::MissingAtomic,
        Mistake::WrongIndex,
        Mistake::SwappedArguments,
        Mistake::StaleOutput,
        Mistake::NanOutput,
        Mistake::OverwrittenInput,
        Mistake::ZeroedValue,
    ];

    /// Whether people make this mistake by accident, and whether it shows when threads run one after the other.
    pub(super) fn is_natural(self) -> bool {
        !matches!(self, Mistake::MissingAtomic | Mistake::NanOutput | Mistake::OverwrittenInput | Mistake::ZeroedValue)
    }

    /// The name in datasets.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Mistake::Bound => "bound",
            Mistake::DroppedTerm => "dropped_term",
            Mistake::Sign => "sign",
            Mistake::MissingAtomic => "missing_atomic",
            Mistake::WrongIndex => "wrong_index",
            Mistake::SwappedArguments => "swapped_arguments",
            Mistake::StaleOutput => "stale_output",
            Mistake::NanOutput => "nan_output",
            Mistake::OverwrittenInput => "overwritten_input",
            Mistake::ZeroedValue => "zeroed_value",
        }
    }
}
