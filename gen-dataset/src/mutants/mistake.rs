//! The mistakes that a mutant can have.

/// What is wrong with a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Mistake {
    /// A loop or a comparison of integers is off by one.
    Bound,
    /// An operand of a sum, a product or an extremum, or a summand, is gone.
    DroppedTerm,
    /// A sign, or the direction of an update, is the opposite.
    Sign,
    /// An atomic is a plain update.
    MissingAtomic,
    /// An index is off by one, of another axis, or that of another component.
    WrongIndex,
    /// Two arguments, indices or branches are exchanged.
    SwappedArguments,
    /// A store is gone.
    StaleOutput,
    /// NaN is stored.
    NanOutput,
    /// A result is stored in an input, too.
    OverwrittenInput,
    /// Zero is stored, or added: in an adjoint, a gradient is zero.
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

    /// Whether people make it without meaning to, and see it where threads run one after the other.
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
