//! Where the gradient of a launch is in doubt.

use std::fmt;

/// The first places, in the launch of an adjoint, where the gradient that it computes is not known to be the derivative.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// An adjoint that is zero for these inputs met a derivative that is infinite or NaN, as in `sqrt(x) * sqrt(x)` at 0. The
    /// gradient is 0 there by convention; the limit may be another. The zero is a *computed* one: it depends on a float input. One
    /// that does not is structural, and the gradient is exact.
    pub computed_zero: Option<Site>,
    /// An adjoint became infinite or NaN: the derivative is, or the product overflowed.
    pub not_finite: Option<Site>,
}

/// A place in a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The operation: an expression over the names of the kernel's locals.
    pub operation: String,
    /// The index of the first thread in which it did that.
    pub thread: Vec<usize>,
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` in thread {:?}", self.operation, self.thread)
    }
}
