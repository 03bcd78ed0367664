//! Spatial vectors: the rotational part, then the linear part.
//!
//! Source of the formulas: R. Featherstone, "Rigid Body Dynamics Algorithms", chapter 2.

use crate::prelude::*;

/// A spatial vector. Kernels write `Vector<f32, 6>`.
pub type SpatialVector = Vector<f32, 6>;

/// A matrix of spatial vectors. Kernels write `Matrix<f32, 6, 6>`.
pub type SpatialMatrix = Matrix<f32, 6, 6>;

/// The spatial vector with the rotational part `w` and the linear part `v`.
#[device(warp = "spatial_vector")]
pub fn spatial_vector(w: Vec3, v: Vec3) -> Vector<f32, 6> {
    Vector::<f32, 6>::new(w.x, w.y, w.z, v.x, v.y, v.z)
}

/// The first three numbers, the rotational part.
#[device(warp = "spatial_top")]
pub fn spatial_top(a: Vector<f32, 6>) -> Vec3 {
    Vec3::new(a[0], a[1], a[2])
}

/// The last three numbers, the linear part.
#[device(warp = "spatial_bottom")]
pub fn spatial_bottom(a: Vector<f32, 6>) -> Vec3 {
    Vec3::new(a[3], a[4], a[5])
}

/// The velocity of the point `r` of a body, from the velocity `qd` of the body, both in one frame.
#[device(warp = "velocity_at_point")]
pub fn velocity_at_point(qd: Vector<f32, 6>, r: Vec3) -> Vec3 {
    spatial_bottom(qd) + spatial_top(qd).cross(r)
}

/// The dot product of a velocity and a force: the power.
#[device(warp = "spatial_dot")]
pub fn spatial_dot(a: Vector<f32, 6>, b: Vector<f32, 6>) -> f32 {
    a.dot(b)
}

/// The cross product of two velocities.
#[device(warp = "spatial_cross")]
pub fn spatial_cross(a: Vector<f32, 6>, b: Vector<f32, 6>) -> Vector<f32, 6> {
    let (w, v) = (spatial_top(a), spatial_bottom(a));
    spatial_vector(w.cross(spatial_top(b)), v.cross(spatial_top(b)) + w.cross(spatial_bottom(b)))
}

/// The cross product of a velocity and a force.
#[device(warp = "spatial_cross_dual")]
pub fn spatial_cross_dual(a: Vector<f32, 6>, b: Vector<f32, 6>) -> Vector<f32, 6> {
    let (w, v) = (spatial_top(a), spatial_bottom(a));
    spatial_vector(w.cross(spatial_top(b)) + v.cross(spatial_bottom(b)), w.cross(spatial_bottom(b)))
}

/// The matrix with the blocks `r`, 0, `s`, `r`, by rows: it takes spatial vectors to another frame.
#[device(warp = "spatial_adjoint")]
pub fn spatial_adjoint(r: Mat3, s: Mat3) -> Matrix<f32, 6, 6> {
    Matrix::<f32, 6, 6>::from_cols(
        spatial_vector(r.x_axis, s.x_axis),
        spatial_vector(r.y_axis, s.y_axis),
        spatial_vector(r.z_axis, s.z_axis),
        spatial_vector(Vec3::ZERO, r.x_axis),
        spatial_vector(Vec3::ZERO, r.y_axis),
        spatial_vector(Vec3::ZERO, r.z_axis),
    )
}
