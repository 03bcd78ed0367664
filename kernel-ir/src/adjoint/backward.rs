//! What differentiation gives.
//!
//! # Winners
//!
//! The gradient of an element under `atomic_min` or `atomic_max` is shared equally among its winners: all values that were
//! put in and equal the result, and the value from before the launch, if nothing beat it. No thread knows how many there
//! are before all have compared, so the adjoint of such a kernel is launched twice. Its parameter `counting`
//! ([`Source::Counting`]) says which of the two launches it is: the first one counts the winners of each element, and the
//! second one is the adjoint proper, which takes the counts.
//!
//! It is one kernel in two phases rather than two kernels, so that a kernel has one adjoint in every language, and whatever
//! runs, compares or ships adjoints knows launches of one text. What the two launches have in common, and in what they
//! differ, is in [`arguments`](super::arguments) and [`launch`](super::launch).

use crate::ir::ParamId;
use crate::verify::VerifiedKernel;

/// The adjoint of a kernel.
#[derive(Clone, Debug)]
pub struct Backward {
    /// The kernel `NAME_backward`, for launches of the same size.
    pub kernel: VerifiedKernel,
    /// What each of its parameters takes.
    pub sources: Vec<Source>,
}

/// What a parameter of the adjoint kernel takes, in terms of the parameters of the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// The argument, an array as it was before the launch.
    Primal(ParamId),
    /// The array as it was after the launch.
    Result(ParamId),
    /// Whether the launch counts winners: `true` in the first launch, `false` in the second.
    Counting,
    /// The numbers of winners of an array under `atomic_min` or `atomic_max`, a `u32` for each of its numbers. The caller
    /// sets them to 1 where the launch has left the number as it was, for the value from before, and to 0 elsewhere. The
    /// counting launch adds the values of the threads.
    Winners(ParamId),
    /// The adjoint of the parameter, of the same type and shape; of a by-value parameter, an array of one element.
    /// The kernel adds to it. For a mutable array it holds the adjoint of the array after the launch on entry, and that of
    /// the array before the launch on exit. For an array with [winners](Source::Winners) the kernel leaves it, and the
    /// caller turns it into the share of the value from before: its quotient by the number of winners where the launch has
    /// left the number as it was, and 0 elsewhere.
    Adjoint(ParamId),
}

impl Source {
    /// The parameter of the kernel that it is of, if it is of one.
    pub fn param(self) -> Option<ParamId> {
        match self {
            Source::Primal(id) | Source::Result(id) | Source::Winners(id) | Source::Adjoint(id) => Some(id),
            Source::Counting => None,
        }
    }
}
