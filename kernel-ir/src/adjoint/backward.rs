//! What differentiation gives.

use crate::ir::ParamId;
use crate::verify::VerifiedKernel;

/// The adjoint of a kernel.
#[derive(Clone, Debug)]
pub struct Backward {
    /// The kernel `NAME_backward`, for launches of the same size.
    pub kernel: VerifiedKernel,
    /// What each of its parameters takes.
    pub sources: Vec<Source>,
    /// The arrays under `atomic_min` or `atomic_max`. After the launch of the adjoint the caller sets their adjoints to
    /// zero wherever the forward launch has changed the array: there the value from before did not win.
    pub extrema: Vec<ParamId>,
}

/// What a parameter of the adjoint kernel takes, in terms of the parameters of the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// The argument, an array as it was before the launch.
    Primal(ParamId),
    /// The array as it was after the launch.
    Result(ParamId),
    /// The adjoint of the parameter, of the same type and shape; of a by-value parameter, an array of one element.
    /// The kernel adds to it. For a mutable array it holds the adjoint of the array after the launch on entry, and that of
    /// the array before the launch on exit.
    Adjoint(ParamId),
}
