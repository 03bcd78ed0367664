//! The kernels of the registry, and what identifies a kernel.

pub(crate) mod identity;
pub(crate) mod registry;
pub mod warp_gradients;
