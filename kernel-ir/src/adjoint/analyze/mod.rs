//! What is known about a kernel whose adjoint is made.

pub(super) mod activity;
pub(super) mod array_classes;
pub(super) mod atomic_results;
pub(super) mod magnitude;
