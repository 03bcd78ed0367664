//! The launch of a gradient check, and its failures.

use crate::data::Arg;
use crate::interp::{Fault, Site};

/// A launch for a gradient check.
#[derive(Clone, Copy, Debug)]
pub struct Launch<'a> {
    /// The launch dimensions.
    pub dim: &'a [usize],
    /// The arguments before the launch.
    pub args: &'a [Arg],
    /// The limit of loop trips of the kernel. The limit of the adjoint is a multiple of it.
    pub trips: u64,
    /// The seed of the direction and the weights.
    pub seed: u64,
}

/// The reason why a kernel fails a gradient check.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// The kernel or its adjoint fails.
    Fault(String),
    /// Rounding produced a strong zero: the gradient is 0 by convention, but its limit may differ.
    ComputedZero(Site),
    /// An output or its derivative is infinite or NaN, so there is nothing to compare.
    Undefined(String),
    /// The adjoint is infinite or NaN where the derivative is finite.
    NotFinite(String),
    /// The two derivatives differ by more than the tolerance, but rounding explains the difference.
    IllConditioned(String),
    /// The two derivatives differ.
    Mismatch(String),
}

pub(super) fn fault(why: Fault) -> Failure {
    Failure::Fault(words(&why))
}

pub(super) fn words(why: &Fault) -> String {
    match why.thread.as_slice() {
        [] => format!("before the launch: {}", why.message),
        thread => format!("thread {thread:?}: {}", why.message),
    }
}
