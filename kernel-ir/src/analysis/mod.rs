//! Facts about a kernel that writers and later passes ask for.

mod accesses;
mod execution;
mod in_step;
mod indices;
mod needs;
mod stability;
mod summed;

pub use accesses::{Access, AccessKind, accesses, written};
pub use execution::{Execution, Fit, LANES, Plan, Schedule, Sharing};
pub use in_step::InStep;
pub use indices::{Affine, Indices};
pub use needs::needs;
pub use stability::{Mutations, cannot_fail};
pub use summed::summed;
