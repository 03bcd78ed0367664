//! The registered kernels, and the hashes that identify a kernel.

pub(crate) mod identity;
pub(crate) mod registry;
pub mod warp_gradients;
