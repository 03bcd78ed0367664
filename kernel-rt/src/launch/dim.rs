//! The size of a launch.

/// The size of a launch of `N` axes, outermost first: `n` or `[n]` for one axis, `[n, m]` or `(n, m)` for two, and so on.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the size of a launch with {N} axes",
    label = "not {N} launch extents",
    note = "one axis takes `n`; more axes take one extent for each axis, as in `[n, m]` or `(n, m)`"
)]
pub trait LaunchDim<const N: usize> {
    /// The extents, outermost first.
    fn extents(self) -> [usize; N];
}

impl<const N: usize> LaunchDim<N> for [usize; N] {
    fn extents(self) -> [usize; N] {
        self
    }
}

impl LaunchDim<1> for usize {
    fn extents(self) -> [usize; 1] {
        [self]
    }
}

impl LaunchDim<2> for (usize, usize) {
    fn extents(self) -> [usize; 2] {
        self.into()
    }
}

impl LaunchDim<3> for (usize, usize, usize) {
    fn extents(self) -> [usize; 3] {
        self.into()
    }
}

impl LaunchDim<4> for (usize, usize, usize, usize) {
    fn extents(self) -> [usize; 4] {
        self.into()
    }
}
