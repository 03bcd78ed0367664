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
//! What NVIDIA Warp has, too, has its name, and where the values agree the emitted Python calls Warp's own function. A kernel
//! gets the functions that it names and those that they need. They are not in the [`prelude`](crate::prelude), so a kernel
//! imports them by name.
//!
//! | module | what it has |
//! |---|---|
//! | `rotation` | quaternions from and to axes, angles and matrices; interpolation |
//! | `transform` | rigid transforms: a translation and a rotation |
//! | `spatial` | spatial vectors, as in the dynamics of rigid bodies |
//! | `decomposition` | eigenvalues, singular values, QR and polar decomposition; linear systems |
//! | `elements` | sums over vectors and matrices, robust lengths |
//! | `geometry` | distances between edges |
//! | `scalar` | signs, steps, interpolation, the error function |
//! | `interpolation` | curves, and tables |
//! | `sequence` | sequences of low discrepancy |
//! | `sampling` | random points of shapes, and numbers of distributions |
//! | `noise` | smooth random functions of a position |
//! | `search` | search in sorted arrays |

mod decomposition;
mod elements;
mod geometry;
mod interpolation;
mod noise;
mod rotation;
mod sampling;
mod scalar;
mod search;
mod sequence;
mod spatial;
mod transform;

pub use decomposition::{cholesky, cholesky_solve, eig2, eig3, lu_solve, polar2, polar3, qr3, svd2, svd3};
pub use elements::{ddot, get_diag, norm_huber, norm_l1, norm_pseudo_huber, smooth_normalize};
pub use geometry::closest_point_edge_edge;
pub use interpolation::{bilinear, catmull_rom, catmull_rom_curve, hermite, hermite_curve};
pub use noise::{
    curlnoise2, curlnoise3, curlnoise4, noise1, noise2, noise3, noise4, pnoise1, pnoise2, pnoise3, pnoise4,
};
pub use rotation::{
    quat_from_axis_angle, quat_from_euler, quat_from_matrix, quat_inverse, quat_rotate, quat_rotate_inv, quat_rpy,
    quat_slerp, quat_to_axis_angle, quat_to_euler, quat_to_matrix, quat_to_rpy, quat_twist, quat_twist_angle,
    quat_twist_angle_signed,
};
pub use sampling::{
    poisson, sample_cdf, sample_triangle, sample_unit_cube, sample_unit_disk, sample_unit_hemisphere,
    sample_unit_hemisphere_surface, sample_unit_ring, sample_unit_sphere, sample_unit_sphere_surface,
    sample_unit_square,
};
pub use scalar::{erf, erfc, erfinv, frac, mix, nonzero, sign, sin_cos, smoothstep, step};
pub use search::lower_bound;
pub use sequence::{halton, roberts2, sobol2, van_der_corput};
pub use spatial::{
    SpatialMatrix, SpatialVector, spatial_adjoint, spatial_bottom, spatial_cross, spatial_cross_dual, spatial_dot,
    spatial_top, spatial_vector, velocity_at_point,
};
pub use transform::{
    Transform, transform_compose, transform_decompose, transform_from_matrix, transform_identity, transform_inverse,
    transform_multiply, transform_point, transform_to_matrix, transform_twist, transform_vector, transform_wrench,
};
