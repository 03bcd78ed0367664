//! The transformation of a normalised kernel into the body and the signature of its adjoint.

pub(super) mod context;
mod expr_vjp;
mod loops;
pub(super) mod parameter_sums;
pub(super) mod reverse;
pub(super) mod signature;
mod tiles;
