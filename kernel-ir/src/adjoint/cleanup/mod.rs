//! Cleanup passes over the adjoint: they remove code that only the uniform construction of the reverse sweep needed.

pub(super) mod copy_propagation;
