//! Findings: places in a launch where the gradient is in doubt.

use std::fmt;

/// The first places in the launch of an adjoint where the computed gradient may not be the derivative.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// An adjoint of zero met a derivative that is infinite or NaN, as in `sqrt(x) * sqrt(x)` at 0. The product is 0 by
    /// convention, while the limit may differ. The zero is a *computed* one: it depends on a float input. A zero that
    /// does not is structural, and the gradient is exact there.
    pub computed_zero: Option<Site>,
    /// An adjoint became infinite or NaN, because the derivative is, or because the product overflowed.
    pub not_finite: Option<Site>,
}

/// A place in a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The operation, as an expression over the names of the kernel's locals.
    pub operation: String,
    /// The index of the first thread with this finding.
    pub thread: Vec<usize>,
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` in thread {:?}", self.operation, self.thread)
    }
}
