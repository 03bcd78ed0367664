//! Facts about a kernel that writers and later passes ask for.

mod indices;
mod stability;

pub use indices::{Affine, Indices};
pub use stability::{Mutations, cannot_fail};
