//! Typed indices of parameters and locals.

/// A parameter, by its position in [`Kernel::params`](super::Kernel::params).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ParamId(pub u32);

/// A local, by its position in [`Kernel::locals`](super::Kernel::locals).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocalId(pub u32);
