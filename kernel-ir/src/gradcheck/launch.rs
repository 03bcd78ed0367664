//! What is judged, and how it fails.

use crate::data::Arg;
use crate::interp::{Fault, Site};

/// A launch to judge by.
#[derive(Clone, Copy, Debug)]
pub struct Launch<'a> {
    /// Its size.
    pub dim: &'a [usize],
    /// Its arguments.
    pub args: &'a [Arg],
    /// How many trips of loops it may make; the adjoint may make more.
    pub trips: u64,
    /// Which direction and weights are drawn.
    pub seed: u64,
}

/// Why a kernel does not keep the property.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// It or its adjoint ends early.
    Fault(String),
    /// The gradient is 0 by convention where it may have another limit.
    ComputedZero(Site),
    /// An output or its derivative is infinite or not a number: there is nothing to hold the adjoint against.
    Undefined(String),
    /// The adjoint is infinite or not a number where the derivative is neither.
    NotFinite(String),
    /// The two derivatives differ by no more than rounding explains, which is more than is allowed.
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
