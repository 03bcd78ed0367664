//! Passes that remove what only the construction of an adjoint needed.

pub(super) mod copy_propagation;
pub(super) mod dead_code;
