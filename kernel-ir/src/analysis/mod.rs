//! Facts about a kernel that writers and later passes ask for. [`Indices`] and [`accesses`] also serve passes, on kernels
//! that these are changing; everything else takes a verified kernel.

#![deny(clippy::wildcard_enum_match_arm)]

mod accesses;
mod commutativity;
mod execution;
mod extents;
mod grid_reductions;
mod indices;
mod lockstep;
mod phases;
mod stability;

pub use accesses::{Access, AccessKind, accesses, written};
pub use execution::{Execution, ExtentPrecondition, LANES, Plan, Schedule, Sharing};
pub use extents::extent_preconditions;
pub use grid_reductions::grid_reductions;
pub use indices::{Affine, Indices};
pub use lockstep::Lockstep;
pub use phases::Phase;
pub use stability::{Mutations, cannot_fail};
