//! Analyses of the kernel to differentiate.

pub(super) mod activity;
pub(super) mod aliases;
pub(super) mod array_classes;
pub(super) mod atomic_results;
pub(super) mod magnitude;
