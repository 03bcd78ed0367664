//! Analyses of a kernel. [`Indices`], [`accesses`] and [`Mutations`] also serve the passes of the adjoint, on kernels
//! that are not verified; everything else takes a verified kernel.
//!
//! [`Indices`] says which elements a thread accesses. [`Execution`] uses it to decide whether the threads of a launch
//! may run in parallel on the CPU, and [`Lockstep`] whether groups of threads may run vectorised.

#![deny(clippy::wildcard_enum_match_arm)]

mod accesses;
mod commutativity;
mod execution;
mod exits;
mod extents;
mod footprints;
mod grid_reductions;
mod indices;
mod lockstep;
mod phases;
mod stability;
mod tile_extents;

pub use accesses::{Access, AccessKind, accesses, written};
pub use execution::{Execution, ExtentPrecondition, LANES, Plan, Schedule, Sharing, float_sums};
pub(crate) use exits::always_exits;
pub use extents::extent_preconditions;
pub use footprints::Promise;
pub(crate) use footprints::{Footprints, Meeting, Moment};
pub use grid_reductions::grid_reductions;
pub use indices::{Affine, Indices};
pub use lockstep::Lockstep;
pub use phases::Phase;
pub use stability::{Mutations, cannot_fail};
pub use tile_extents::{TileExtent, TileFit, tile_extents};
