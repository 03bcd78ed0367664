//! Facts about a kernel that writers and later passes ask for.

mod stability;

pub use stability::{Mutations, cannot_fail};
