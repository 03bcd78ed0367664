//! Device functions and structs that many kernels need, written in the kernel language.
//!
//! ```
//! use kernel_rt::library::{Transform, transform_point};
//! use kernel_rt::prelude::*;
//!
//! /// Points of bodies, in the frame of the world.
//! #[kernel]
//! fn place(frames: &[Transform], body: &[u32], points: &[Vec3], placed: &mut [Vec3]) {
//!     let i = tid();
//!     placed[i] = transform_point(frames[body[i] as usize], points[i]);
//! }
//! ```
//!
//! Names and values are those of NVIDIA Warp, and so the emitted Python calls Warp's own functions. A kernel gets the
//! functions that it names and those that they need. They are not in the [`prelude`](crate::prelude), so a kernel imports
//! them by name.
//!
//! | module | what it has |
//! |---|---|
//! | `rotation` | quaternions from and to axes, angles and matrices; interpolation |
//! | `transform` | rigid transforms: a translation and a rotation |
//! | `spatial` | spatial vectors, as in the dynamics of rigid bodies |
//! | `scalar` | signs, steps, interpolation, the error function |
//! | `search` | search in sorted arrays |

mod rotation;
mod scalar;
mod search;
mod spatial;
mod transform;

pub use rotation::{
    quat_from_axis_angle, quat_from_matrix, quat_inverse, quat_rotate, quat_rotate_inv, quat_rpy, quat_slerp,
    quat_to_axis_angle, quat_to_matrix,
};
pub use scalar::{erf, erfc, erfinv, frac, sign, smoothstep, step};
pub use search::lower_bound;
pub use spatial::{
    SpatialMatrix, SpatialVector, spatial_adjoint, spatial_bottom, spatial_cross, spatial_cross_dual, spatial_dot,
    spatial_top, spatial_vector,
};
pub use transform::{
    Transform, transform_identity, transform_inverse, transform_multiply, transform_point, transform_twist,
    transform_vector, transform_wrench,
};
